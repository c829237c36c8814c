package sky

import "math"

// radian is one degree in radians.
const radian = math.Pi / 180
