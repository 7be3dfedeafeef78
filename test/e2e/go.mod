module github.com/eventseries/eventseries/test/e2e

go 1.26.0

require (
	github.com/eventseries/eventseries v0.0.0
	sigs.k8s.io/controller-runtime v0.25.2
)

replace github.com/eventseries/eventseries => ../..
