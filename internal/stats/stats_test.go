// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"reflect"
	"testing"
)

func TestReasonsHaveNames(t *testing.T) {
	seen := map[string]bool{None.String(): true}
	for _, r := range Reasons() {
		if r == None || r.String() == "" || seen[r.String()] {
			t.Errorf("reason %d is called %q", r, r)
		}
		seen[r.String()] = true
	}
	if len(seen) != int(numReasons) {
		t.Errorf("%d reasons have names, of %d", len(seen), numReasons)
	}
}

// Every counter is added up, also those that come later.
func TestAdd(t *testing.T) {
	var a, b Counters
	fill(reflect.ValueOf(&a).Elem(), 1)
	fill(reflect.ValueOf(&b).Elem(), 1000)
	a.Add(&b)
	total := reflect.ValueOf(a)
	for i := range total.NumField() {
		name, field := total.Type().Field(i).Name, total.Field(i)
		if field.Kind() != reflect.Array {
			checkSum(t, name, field)
			continue
		}
		for r := range field.Len() {
			checkSum(t, name+" "+Reason(r).String(), field.Index(r))
		}
	}
}

func fill(v reflect.Value, n int64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	default:
		v.SetInt(n)
	}
}

func checkSum(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	if v.Int() != 1001 {
		t.Errorf("%s is %d, want 1001", name, v.Int())
	}
}
