package main

import (
	"context"
	"log"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/events"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", clientcmd.RecommendedHomeFile)
	if err != nil {
		log.Fatal(err)
	}
	broadcaster := events.NewEventBroadcasterAdapterWithContext(context.Background(), kubernetes.NewForConfigOrDie(config))
	broadcaster.StartRecordingToSink(nil)
	broadcaster.Shutdown()
}
