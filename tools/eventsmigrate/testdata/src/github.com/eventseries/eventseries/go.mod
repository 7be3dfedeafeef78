module github.com/eventseries/eventseries

go 1.25.0
