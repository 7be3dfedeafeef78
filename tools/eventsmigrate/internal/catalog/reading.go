// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// A reading evaluates the arguments of one recording in one frame.
type reading struct {
	*collector
	rec   *recording.Recording
	frame *frame
	open  bool // a caller of the topmost function would say more
}

// entries returns the entries of a recording in a frame: one for each combination of the values that the code tells.
func (r *reading) entries() (all []*Entry) {
	reasons, named := r.strings(recording.Reason)
	kinds, _ := r.strings(recording.Type)
	actions, _ := r.strings(recording.Action)
	controllers := r.controllers()
	shared := Entry{
		Regarding: r.kinds(recording.Regarding),
		Related:   r.kinds(recording.Related),
		Notes:     r.notes(),
		Places:    []token.Position{r.place(r.frame)},
	}
	for _, reason := range reasons {
		if reason == "" {
			continue
		}
		for _, controller := range orUnknown(controllers) {
			for _, kind := range orUnknown(kinds) {
				for _, action := range orUnknown(actions) {
					e := shared
					e.Controller, e.Type, e.Reason, e.Action = controller, kind, reason, action
					e.Doc = r.docOf(reason, named)
					all = append(all, &e)
				}
			}
		}
	}
	return all
}

// orUnknown returns the values, or that of one that is not known.
func orUnknown(values []string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	return values
}

// near reaches what the calls of the frame pass.
func (r *reading) near(fields dataflow.Fields) dataflow.Reach {
	return dataflow.Reach{Args: r.frame.argument, Fields: fields}
}

// far also reaches what any call passes to the parameters of other functions, and the fields that several packages set. It
// asks for callers.
func (r *reading) far() dataflow.Reach {
	return r.asking(dataflow.Reach{Fields: dataflow.AllFields, Args: func(param *types.Var) []dataflow.Value {
		if args := r.frame.argument(param); len(args) > 0 || r.frame.isOpen(param) {
			return args
		}
		return r.Passed(param)
	}})
}

// asking has the same reach, and notes where a caller would say more.
func (r *reading) asking(reach dataflow.Reach) dataflow.Reach {
	args := reach.Args
	reach.Args = func(param *types.Var) []dataflow.Value {
		r.open = r.open || r.frame.isOpen(param)
		return args(param)
	}
	return reach
}

// strings returns the constants that an argument may be, and those of the program that have these values. It goes far where
// nothing near is known.
func (r *reading) strings(role recording.Role) (all []string, named []*types.Const) {
	arg := r.rec.Arg(role)
	if arg == nil {
		return nil, nil
	}
	text := r.Text(r.rec.Value(arg), r.near(dataflow.OwnFields))
	r.open = r.open || slices.ContainsFunc(text.Params, r.frame.isOpen)
	if len(text.Constants) == 0 && text.Volatile == "" && len(text.Params) == 0 {
		text = r.Text(r.rec.Value(arg), r.far())
	}
	return union(text.Constants, nil), text.Named
}

// verb matches a note that is nothing but what it formats.
var verb = regexp.MustCompile(`^(%\[?\d*\]?[-+#]?[svqw][:. ]*)*$`)

// notes returns the formats of the note. What is not a constant in them is %s.
func (r *reading) notes() []string {
	all := r.formats(r.rec.Arg(recording.Note))
	if args := r.rec.NoteArgs(); len(args) == 1 && len(all) == 1 && (all[0] == "%s" || all[0] == "%v") {
		all = r.formats(args[0])
	}
	all = slices.DeleteFunc(all, verb.MatchString)
	return union(all, nil)
}

func (r *reading) formats(note ast.Expr) []string {
	return r.Text(r.rec.Value(note), r.asking(r.near(dataflow.NoFields))).Formats
}
