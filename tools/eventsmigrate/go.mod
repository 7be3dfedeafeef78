module github.com/eventseries/eventseries/tools/eventsmigrate

go 1.25.0

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/google/go-cmp v0.7.0
	go.yaml.in/yaml/v3 v3.0.4
	golang.org/x/mod v0.37.0
	golang.org/x/tools v0.47.0
)

require golang.org/x/sync v0.21.0 // indirect
