// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "time"

// beginBad begins the loss of a zone. The outage of the registry is not here, because it is a part
// of each pod's start.
func (c *Cluster) beginBad() {
	from, to := c.share(ZoneFrom), c.share(ZoneTo)
	c.begin(&zoneLost{until: to}, from+NodeGrace)
	c.begin(&evictions{until: to}, from+NodeGrace+Toleration)
	c.begin(&zoneBack{}, to)
}

// zoneLost is the node lifecycle controller: it marks the nodes, and then one pod after the other, each with a request.
type zoneLost struct {
	until time.Duration
	said  bool
	next  uint32 // the pod, counted through the zone
}

func (z *zoneLost) step(c *Cluster) (time.Duration, bool) {
	if !z.said {
		z.said = true
		for n := 0; n < c.Nodes; n += Zones {
			c.emit(c.central(NodeLifecycle), nodeObject(n), nodeNotReady,
				"Node "+nodeName(n)+" status is now: NodeNotReady")
		}
		return time.Second, true
	}
	node := int(z.next) / c.PodsPerNode * Zones
	if node >= c.Nodes || c.now >= z.until {
		return 0, false
	}
	p := c.podOn(node, int(z.next)%c.PodsPerNode)
	c.emit(c.central(NodeLifecycle), c.podObject(&p), nodeNotReady, "Node is not ready")
	z.next++
	return time.Second / ControllerRate, true
}

func (c *Cluster) podOn(node, n int) pod {
	id := uint32(node*c.PodsPerNode + n)
	return pod{app: id / PodsPerDeployment, id: id, node: node, version: 1, containers: c.containers()}
}

// evictions takes the pods off one node after another: that of the last toleration that ran out. Each is replaced by
// one that fits nowhere until the zone is back, as every node has all the pods that it may have.
type evictions struct {
	until time.Duration
	node  int
	pod   int
}

func (e *evictions) step(c *Cluster) (time.Duration, bool) {
	if e.node >= c.Nodes || c.now >= e.until {
		return 0, false
	}
	p := c.podOn(e.node, e.pod)
	c.emit(c.central(TaintEviction), c.podObject(&p), evicting,
		"Marking for deletion Pod "+c.namespace(p.app)+"/"+p.name())
	fresh := c.newPod(p.app)
	c.emit(c.central(ReplicaSetController), c.replicaSet(p.app), podCreated, "Created pod: "+fresh.name())
	c.begin(&pending{pod: fresh, until: e.until}, 0)
	c.begin(&stopping{pod: p}, e.until-c.now+c.within(time.Minute))
	if e.pod++; e.pod < c.PodsPerNode {
		return time.Second / ControllerRate, true
	}
	e.node, e.pod = e.node+Zones, 0
	return max(NodeEvictionEvery-time.Duration(c.PodsPerNode-1)*time.Second/ControllerRate, 0), true
}

// stopping is a pod that is stopped once its kubelet hears that it should be.
type stopping struct{ pod }

func (e *stopping) step(c *Cluster) (time.Duration, bool) {
	c.stop(&e.pod)
	return 0, false
}

// zoneBack is the nodes' return.
type zoneBack struct{}

func (*zoneBack) step(c *Cluster) (time.Duration, bool) {
	for n := 0; n < c.Nodes; n += Zones {
		c.emit(n, nodeObject(n), nodeReady, "Node "+nodeName(n)+" status is now: NodeReady")
	}
	return 0, false
}
