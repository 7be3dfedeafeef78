// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// errTemplate is about a file that is a template of manifests.
var errTemplate = errors.New("is a template: render it, as with helm template, and pass what that prints")

// document is one of the YAML documents of a file.
type document struct {
	text  []byte
	first int // the line of the file that text begins with
	at    position
}

// documents splits text where a line begins with "---".
func documents(file string, text []byte) []document {
	var all []document
	current := document{first: 1, at: position{file: file}}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		rest, ends := bytes.CutPrefix(line, []byte("---"))
		if ends && (len(rest) == 0 || bytes.ContainsAny(rest[:1], " \t\r\n")) {
			all = append(all, current)
			current, line = document{first: number, at: position{file: file}}, rest
		}
		content := bytes.TrimSpace(line)
		if current.at.line == 0 && len(content) > 0 && content[0] != '#' {
			current.at.line = number
		}
		current.text = append(current.text, line...)
	}
	return append(all, current)
}

// relevant reports whether text can hold anything that decode returns. Nothing else is decoded, so no other YAML of a
// project, however odd, can make reading its RBAC fail.
func relevant(text []byte) bool {
	return bytes.Contains(text, []byte(rbacv1.GroupName)) || bytes.Contains(text, []byte(kindServiceAccount))
}

// decode returns the RBAC objects and ServiceAccounts in a YAML or JSON file; none of a template, whose conditions may
// be about any of them.
func decode(file string, text []byte) ([]*object, error) {
	if !relevant(text) {
		return nil, nil
	}
	var objects []*object
	for _, doc := range documents(file, text) {
		braces := bytes.Contains(doc.text, []byte("{{"))
		if !relevant(doc.text) && !braces {
			continue
		}
		found, err := doc.decode()
		switch {
		case err != nil && braces:
			return nil, errTemplate
		case err != nil:
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}

func (d document) decode() ([]*object, error) {
	var body json.RawMessage
	if err := yaml.Unmarshal(d.text, &body); err != nil {
		return nil, d.broken(err)
	}
	objects, err := decodeJSON(body, header{}, d.at)
	if err != nil {
		return nil, d.broken(err)
	}
	return objects, nil
}

// header is what says of which kind an object is.
type header struct {
	APIVersion, Kind string
	Items            []json.RawMessage
}

// decodeJSON returns the object in body, or those of the list that body is. An item of a typed list needs no kind.
func decodeJSON(body json.RawMessage, item header, at position) ([]*object, error) {
	head := item
	if err := json.Unmarshal(body, &head); err != nil {
		return nil, nil // a document that is no mapping is not Kubernetes'
	}
	kind, isList := strings.CutSuffix(head.Kind, "List")
	if isList {
		var all []*object
		for _, one := range head.Items {
			objects, err := decodeJSON(one, header{APIVersion: head.APIVersion, Kind: kind}, at)
			if err != nil {
				return nil, err
			}
			all = append(all, objects...)
		}
		return all, nil
	}
	group, _, _ := strings.Cut(head.APIVersion, "/")
	o := &object{Kind: head.Kind, at: at}
	isAccount := head.APIVersion == "v1" && o.Kind == kindServiceAccount
	if !isAccount && (group != rbacv1.GroupName || !o.isRole() && !o.isBinding()) {
		return nil, nil
	}
	if err := json.Unmarshal(body, o); err != nil {
		return nil, fmt.Errorf("%s %s: %w", head.Kind, o.Metadata.Name, plain(err))
	}
	o.Kind = head.Kind
	if o.templated() {
		return nil, errTemplate
	}
	return []*object{o}, nil
}

// plain says of a value of the wrong kind which field it is in, in YAML's words.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	want := map[reflect.Kind]string{
		reflect.Slice: "list", reflect.Struct: "mapping", reflect.Map: "mapping",
	}[wrong.Type.Kind()]
	name := strings.ToLower(field[:min(len(field), 1)]) + field[min(len(field), 1):]
	return fmt.Errorf("%s: %s in place of a %s", name, wrong.Value, cmp.Or(want, wrong.Type.Kind().String()))
}

// templated reports whether a name is yet to be filled in.
func (o *object) templated() bool {
	names := []string{o.Metadata.Name, o.Metadata.Namespace, o.RoleRef.Name}
	for _, subject := range o.Subjects {
		names = append(names, subject.Name, subject.Namespace)
	}
	return strings.Contains(strings.Join(names, " "), "{{")
}

var lineNumber = regexp.MustCompile(`line (\d+): `)

// broken says where in the file err is: of the parser's errors those that have a line count it from the document's
// first.
func (d document) broken(err error) error {
	at := d.at
	text := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	if found := lineNumber.FindStringSubmatch(text); found != nil {
		if n, numberErr := strconv.Atoi(found[1]); numberErr == nil {
			at.line = d.first + n - 1
		}
		text = strings.Replace(text, found[0], "", 1)
	}
	return fmt.Errorf("%v: %s", at, text)
}
