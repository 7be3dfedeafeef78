// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// spread calls do for every index below n, from as many goroutines as there are
// writers, and stops at the first error.
func (t *trial) spread(ctx context.Context, do func(ctx context.Context, i int) error) (end time.Time, err error) {
	var next atomic.Int64
	workers, ctx := errgroup.WithContext(ctx)
	for range t.writers {
		workers.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(t.pods) {
					return nil
				}
				if err := do(ctx, i); err != nil {
					return err
				}
			}
		})
	}
	err = workers.Wait()
	return time.Now(), err
}

// bareCreates is the floor of creates.
func bareCreates(_ context.Context, t *trial) (*turn, error) {
	client := t.client.EventsV1()
	return &turn{run: func(ctx context.Context) (time.Time, error) {
		return t.spread(ctx, func(ctx context.Context, i int) error {
			e := event(t.pods[i], time.Now())
			_, err := client.Events(e.Namespace).Create(ctx, e, metav1.CreateOptions{})
			return err
		})
	}}, nil
}

// barePatches is the floor of patches.
func barePatches(ctx context.Context, t *trial) (*turn, error) {
	client := t.client.EventsV1()
	objects := make([]types.NamespacedName, len(t.pods))
	versions := make([]string, len(t.pods))
	_, err := t.spread(ctx, func(ctx context.Context, i int) error {
		e := event(t.pods[i], time.Now())
		e.Series = &eventsv1.EventSeries{Count: opened, LastObservedTime: metav1.NowMicro()}
		stored, err := client.Events(e.Namespace).Create(ctx, e, metav1.CreateOptions{})
		if err == nil {
			objects[i], versions[i] = types.NamespacedName{Namespace: e.Namespace, Name: e.Name}, stored.ResourceVersion
		}
		return err
	})
	return &turn{run: func(ctx context.Context) (time.Time, error) {
		return t.spread(ctx, func(ctx context.Context, i int) error {
			_, err := client.Events(objects[i].Namespace).Patch(ctx, objects[i].Name, types.StrategicMergePatchType,
				seriesPatch(final, versions[i]), metav1.PatchOptions{})
			return err
		})
	}}, err
}

// The occurrences of a series: those that it is created with, which is what the SDK
// does when they are all there before its first write, and those that it has at the
// end.
const (
	opened = 2
	final  = 5
)

// seriesPatch is the patch that the SDK sends, made with the least effort.
func seriesPatch(count int, resourceVersion string) []byte {
	last := time.Now().UTC().Format(metav1.RFC3339Micro)
	return fmt.Appendf(nil, `{"metadata":{"resourceVersion":%q},"series":{"count":%d,"lastObservedTime":%q}}`,
		resourceVersion, count, last)
}
