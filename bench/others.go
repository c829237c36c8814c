package bench

import (
	"fmt"
	"runtime"
	"time"
)

// others measures how much of the machine was used by neither server nor load:
// figures from a machine that does other work as well are worth less.
type others struct {
	began   time.Time
	elapsed time.Duration
	notOurs time.Duration // processor time; what is ours is taken off
}

func (o *others) begin() error {
	used, err := machineCPU()
	o.began, o.notOurs = time.Now(), ownCPU()-used
	return err
}

func (o *others) end() error {
	used, err := machineCPU()
	o.elapsed = time.Since(o.began)
	o.notOurs += used - ownCPU()
	return err
}

// String says it for the result.
func (o *others) String() string {
	if o.notOurs <= 0 || o.elapsed <= 0 {
		return "other work on the machine was not measured"
	}
	share := o.notOurs.Seconds() / o.elapsed.Seconds() / float64(runtime.NumCPU())
	return fmt.Sprintf("other work used %.0f %% of its processors meanwhile", 100*share)
}
