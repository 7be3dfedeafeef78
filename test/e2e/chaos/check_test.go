// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"

	"github.com/eventseries/eventseries/events"
)

// Every way to lose or invent an occurrence is found, and how many they are.
func TestCheck(t *testing.T) {
	a, b := Key{Name: "a"}, Key{Name: "b"}
	tests := map[string]struct {
		spoil func(*Account)
		want  int64
	}{
		"all is well":                        {func(*Account) {}, 0},
		"what is unconfirmed is stored":      {func(c *Account) { c.OnServer[b] = 4 }, 0},
		"more is stored than unconfirmed":    {func(c *Account) { c.OnServer[b] = 5 }, 1},
		"recorded and not stored":            {func(c *Account) { c.OnServer[a] = 8 }, 2},
		"one series has what another lacks":  {func(c *Account) { c.OnServer[a], c.OnServer[b] = 9, 4 }, 1},
		"an Event of nobody":                 {func(c *Account) { c.OnServer[Key{}] = 3 }, 2},
		"emitted and not observed":           {func(c *Account) { c.Emitted[a] = 11; c.OnServer[a] = 11 }, 1},
		"observed and neither way":           {func(c *Account) { c.Stats.Recorded-- }, 1},
		"pending after Drain":                {func(c *Account) { c.Stats.Recorded--; c.Stats.Pending = 1 }, 1},
		"dropped without telling":            {func(c *Account) { c.Dropped[b] = 1 }, 2}, // then b is short, too
		"suppressed and in a later count":    {func(c *Account) { spam(c); c.OnServer[b] = 5 }, 0},
		"more than suppressed and in doubt":  {func(c *Account) { spam(c); c.OnServer[b] = 6 }, 1},
		"told of a drop that is not counted": {func(c *Account) { c.Dropped[b] = 3 }, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			account := &Account{
				Emitted: Counts{a: 10, b: 5}, Dropped: Counts{b: 2}, OnServer: Counts{a: 10, b: 3},
				Stats: events.Stats{
					Observed: 15, Recorded: 13, Unconfirmed: 1, Dropped: map[events.DropReason]int64{events.DropAbandoned: 2},
				},
			}
			test.spoil(account)
			got, problems := account.Check()
			if got != test.want || (got > 0) != (len(problems) > 0) {
				t.Errorf("%d unaccounted, want %d: %q", got, test.want, problems)
			}
		})
	}
}

// spam says that one of two drops was the spam filter's.
func spam(c *Account) {
	c.Stats.Dropped = map[events.DropReason]int64{events.DropAbandoned: 1, events.DropSpamFilter: 1}
}
