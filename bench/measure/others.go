package measure

import (
	"fmt"
	"runtime"
	"time"
)

// Others measures how much of the machine was used by neither this process nor
// those it excludes: figures from a machine that does other work as well are
// worth less. The zero value is ready for Begin.
type Others struct {
	began   time.Time
	elapsed time.Duration
	notOurs time.Duration // processor time; what is ours is taken off
}

// Begin starts the time that is looked at.
func (o *Others) Begin() error {
	used, err := machineCPU()
	o.began, o.notOurs = time.Now(), OwnCPU()-used
	return err
}

// Exclude takes off the processor time of a process of ours that has ended.
func (o *Others) Exclude(used time.Duration) { o.notOurs -= used }

// End ends the time that is looked at.
func (o *Others) End() error {
	used, err := machineCPU()
	o.elapsed = time.Since(o.began)
	o.notOurs += used - OwnCPU()
	return err
}

// String says it for the result.
func (o *Others) String() string {
	if o.notOurs <= 0 || o.elapsed <= 0 {
		return "other work on the machine was not measured"
	}
	share := o.notOurs.Seconds() / o.elapsed.Seconds() / float64(runtime.NumCPU())
	return fmt.Sprintf("other work used %.0f %% of its processors meanwhile", 100*share)
}
