// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"slices"
	"strings"
)

// wiring is how a broadcaster is made, started and ended in the new API. plan
// finds out whether that is possible, apply writes it.
type wiring struct {
	*pass
	*broadcaster
	clients  []*need // one per start; none: nothing is written anywhere
	scheme   *need   // nil: client-go's, or one per recorder
	recorder map[*ast.CallExpr]source
	moves    *move // of the one maker, to where the client is known
	removed  []removal
	blanks   []blank
}

// need is an expression of another place that the maker needs.
type need struct {
	use  // where it stands
	expr ast.Expr
}

func (w *wiring) plan() {
	if len(w.makers) == 0 {
		w.refuse("the package does not make it")
		return
	}
	steps := []func(){w.options, w.sinks, w.sources, w.schemes, w.settle, w.unused}
	for _, step := range steps {
		if step(); w.obstacle != "" {
			return
		}
	}
}

// options refuses options that are not written out.
func (w *wiring) options() {
	for _, maker := range w.makers {
		if maker.call().Ellipsis.IsValid() {
			w.refuse("its options are not written out (%s)", w.place(maker.expr))
		}
	}
}

// option is the argument of an option of that name.
func (f *file) option(e ast.Expr, name string) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !isNamed(f.callee(call), recordPath, name) {
		return nil
	}
	return call.Args[0]
}

// lost says which options of a maker have no counterpart.
func (u use) lost() string {
	var names []string
	for _, arg := range u.call().Args {
		if u.option(arg, "WithContext") == nil {
			names = append(names, strings.TrimPrefix(u.text(arg), "record."))
		}
	}
	for i, name := range names {
		names[i], _, _ = strings.Cut(name, "(")
		names[i], _, _ = strings.Cut(names[i], "{")
	}
	if len(names) == 0 {
		return ""
	}
	return "; the events API has nothing like " + strings.Join(names, ", ")
}

func (w *wiring) apply() {
	for _, maker := range w.makers {
		w.make(maker)
	}
	for _, u := range w.types {
		w.typ(u)
	}
	for _, u := range w.loggings {
		w.logging(u)
	}
	for _, u := range w.recorders {
		w.record(u)
	}
	for _, u := range w.starts {
		w.startWriting(u)
	}
	for _, s := range w.stops {
		w.stop(s)
	}
	for _, r := range w.removed {
		r.drop()
	}
	for _, b := range w.blanks {
		b.apply()
	}
}

// typ rewrites the name of a broadcaster's type.
func (w *wiring) typ(u use) {
	u.dropName(u.expr)
	u.edited[u.expr] = true
	name, text := w.typeText(u.file)
	u.rewrite(u.expr, "type", "record.EventBroadcaster is %s", name).replace(u.expr.Pos(), u.expr.End(), text)
}

func (w *wiring) typeText(f *file) (name, text string) {
	switch {
	case f.config.target() != SDK:
		return "events.EventBroadcaster in the events API", f.pkg(clientEvents) + ".EventBroadcaster"
	case len(w.clients) == 0:
		return "*events.Broadcaster, as nothing is written", "*" + f.pkg(sdkEvents) + ".Broadcaster"
	}
	return "*adapter.Adapter", "*" + f.pkg(sdkAdapter) + ".Adapter"
}

// make rewrites a call that makes a broadcaster.
func (w *wiring) make(maker use) {
	maker.dropName(maker.call().Fun)
	text := w.makerText(maker)
	into := "an adapter, which writes events.k8s.io/v1 series"
	switch {
	case len(w.clients) == 0:
		into = "one of the events API"
	case maker.config.target() != SDK:
		into = "one of the events API, with its sink"
	}
	pl := maker.rewrite(maker.expr, "constructor", "the broadcaster becomes %s%s", into, maker.lost())
	if w.moves != nil {
		w.moves.apply(pl, text)
		return
	}
	pl.replace(maker.expr.Pos(), maker.expr.End(), text)
}

func (w *wiring) makerText(maker use) string {
	if len(w.clients) == 0 {
		return maker.pkg(maker.config.eventsPath()) + ".NewBroadcaster(nil)"
	}
	at := w.madeAt(maker)
	client := w.bring(*w.client(maker, at), maker, at)()
	if maker.config.target() != SDK {
		events := maker.pkg(clientEvents)
		return events + ".NewBroadcaster(&" + events + ".EventSinkImpl{Interface: " + client + ".EventsV1()})"
	}
	adapter := maker.pkg(sdkAdapter)
	text := adapter + ".New(" + maker.contextText(at) + ", " + client
	if w.scheme != nil {
		text += ", " + adapter + ".WithScheme(" + w.bring(*w.scheme, maker, at)() + ")"
	}
	return text + ")"
}

// logging rewrites a log with a function of the printf kind, which the events
// API does not have.
func (w *wiring) logging(u use) {
	if w.moves != nil && slices.Contains(w.moves.calls, u.call()) {
		return
	}
	sel := u.call().Fun.(*ast.SelectorExpr)
	if sel.Sel.Name != "StartLogging" {
		return
	}
	u.rewrite(u.expr, "constructor", "StartLogging takes no printf function in the events API: klog at level 0").
		replace(sel.Sel.Pos(), u.expr.End(), "StartStructuredLogging(0)")
}

// record rewrites NewRecorder.
func (w *wiring) record(u use) {
	call := u.call()
	u.made[call] = true
	src := w.recorder[call]
	message := "NewRecorder takes the component's name"
	if src.host {
		message += "; the host is found by itself"
	}
	from := call.Args[1].Pos()
	if len(w.clients) > 0 && u.config.target() == SDK {
		from = call.Args[0].Pos()
	}
	u.rewrite(call, "constructor", "%s", message).replace(from, call.Args[1].End(), src.name(u.file))
	if src.component == nil && !u.isTest() {
		u.leave(call, "constructor", "this EventSource has no Component: give NewRecorder the component's name")
	}
}
