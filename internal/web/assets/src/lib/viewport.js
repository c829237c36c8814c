// On phones whose keyboard covers the page instead of shrinking it, the page
// takes the height that is left, so that the composer stays above the keyboard.
export function followKeyboard() {
  const viewport = window.visualViewport
  if (!viewport) return
  const fit = () => {
    const covered = viewport.scale === 1 && innerHeight - viewport.height > 80
    const { style } = document.documentElement
    if (!covered) return style.removeProperty("--viewport-height")
    style.setProperty("--viewport-height", `${Math.round(viewport.height)}px`)
    scrollTo(0, 0)
  }
  viewport.addEventListener("resize", fit)
}
