// Package measure is what every benchmark of the system reads and shows: the
// processor time and memory of processes, who else used the machine, medians and
// percentiles, and figures as people read them.
//
//	before, _ := measure.CPUOf(pid)
//	work()
//	after, _ := measure.CPUOf(pid)
//	fmt.Println(measure.OrDash(measure.Milliseconds(after-before), "%.2f ms"))
package measure
