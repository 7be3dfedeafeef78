// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "time"

// cronTick creates all jobs of one schedule, as fast as the controller may, and waits for the next time.
type cronTick struct {
	every       time.Duration
	first, jobs int // the CronJobs of this schedule
	done        int
	began       time.Duration
}

func (t *cronTick) step(c *Cluster) (time.Duration, bool) {
	if t.done == 0 {
		t.began = c.now
	}
	c.begin(&jobRun{app: uint32(t.first + t.done)}, 0)
	if t.done++; t.done < t.jobs {
		return time.Second / ControllerRate, true
	}
	t.done = 0
	return max(t.began+t.every-c.now, 0), true
}

// jobRun is one job, from its creation to the deletion of the one it pushes out of the history.
type jobRun struct {
	app  uint32
	run  uint32
	over bool
}

func (j *jobRun) step(c *Cluster) (time.Duration, bool) {
	if j.over {
		name := c.job(j.app, j.run).Name
		c.emit(c.central(JobController), c.job(j.app, j.run), jobCompleted, "Job completed")
		c.emit(c.central(CronJobController), c.cronJob(j.app), sawCompletedJob,
			"Saw completed job: "+name+", condition: Complete")
		c.emit(c.central(CronJobController), c.cronJob(j.app), podDeleted, "Deleted job "+name)
		return 0, false
	}
	p := c.newPod(j.app)
	p.job, p.containers = true, 1
	j.run = p.id
	c.emit(c.central(CronJobController), c.cronJob(j.app), podCreated, "Created job "+c.job(j.app, j.run).Name)
	c.emit(c.central(JobController), c.job(j.app, j.run), podCreated, "Created pod: "+p.name())
	c.start(p, c.chance(OtherNeedsPull), func(c *Cluster, _ *pod) { c.begin(j, JobTakes) })
	j.over = true
	return 0, false
}
