const LONG = 500
const MOVED = 10

// A finger that rests on a message opens the message's menu.
export function openMenusByLongPress() {
  let timer, start
  const cancel = () => clearTimeout(timer)
  document.addEventListener("pointerdown", event => {
    cancel()
    const message = event.target.closest(".messages .message")
    if (event.pointerType !== "touch" || !message || event.target.closest("a, button, summary, input, video, lexxy-editor")) return
    start = event
    timer = setTimeout(() => {
      const menu = message.querySelector("details.message__actions")
      if (menu && String(getSelection()) === "") menu.open = true
    }, LONG)
  })
  document.addEventListener("pointermove", event => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > MOVED) cancel()
  })
  for (const type of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(type, cancel, { capture: true })
}
