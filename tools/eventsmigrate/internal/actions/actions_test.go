// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	for reason, want := range map[string][]string{
		"Pulled":           {"Pull"},
		"FailedCreate":     {"Create"},
		"Created":          {"Create"},
		"Updated":          {"Update"},
		"Deleted":          {"Delete"},
		"BackOff":          {"Start", "Pull"},
		"LeaderElection":   {"BecomeLeader", "StopLeading"},
		"FailedScheduling": {"Scheduling"},
		"Denied":           nil,
		"Starting":         {"Start"}, // kube-proxy's action is about itself
		"Scheduled":        nil,       // of a pod a node; of a backup a time
		"Reticulated":      nil,
	} {
		if diff := cmp.Diff(want, Of(reason)); diff != "" {
			t.Errorf("Of(%s) (-want +got):\n%s", reason, diff)
		}
	}
}

// Caught, by section of words.txt: a ReplicaSet that is set, an UpgradePath that is taken, a LabelError that is
// labelled.
func TestOfReason(t *testing.T) {
	for reason, want := range map[string]string{
		"SecretSynced":          "SyncSecret", // one attempt, whatever came of it
		"SecretSyncError":       "SyncSecret",
		"SecretSync":            "SyncSecret",
		"SyncingSecret":         "SyncSecret",
		"FailedToSyncSecret":    "SyncSecret",
		"SuccessfullySynced":    "Sync",
		"ModuleLoaded":          "LoadModule",
		"JobSuspended":          "SuspendJob",
		"RemovingProcesses":     "RemoveProcesses",
		"CreationFailed":        "Create",
		"HeadlessServiceBuilt":  "BuildHeadlessService",
		"FinalizerRemovalError": "RemoveFinalizer",
		"SkippedUpdate":         "Update",
		"UpgradeBlocked":        "Upgrade",
		"EventWatcherStarted":   "StartEventWatcher", // no other verb
		"ResizeStarted":         "Resize",
		"ServiceFailedToCreate": "CreateService",
		"UpdatedWithError":      "Update",
		"InPlaceResizedByVPA":   "ResizeInPlace",
		"ScaledDownToZero":      "ScaleDownToZero",
		"NodeScaleUpFailed":     "ScaleUpNode",
		"WaitingForApproval":    "WaitForApproval",
		"WaitingApproval":       "WaitForApproval",
		"VolumeAutoGrow":        "GrowVolume",
		"PVCsDeleted":           "DeletePVCs",
		"IPv4PoolDeleted":       "DeleteIPv4Pool",
		"RELOAD":                "", // no word
		"Reload":                "Reload",
		"PausedReconciliation":  "PauseReconciliation",
		"FailedAbortMigration":  "AbortMigration",
		"RestoreCreationFailed": "CreateRestore",
		"ReconcileError":        "Sync",
		"ReconcileSecretFailed": "ReconcileSecret",
		"SecretNotFound":        "FindSecret",
		"MissingSecret":         "FindSecret",
		"NoInstanceFound":       "FindInstance",
		"InvalidSpec":           "ValidateSpec",
		"SpecInvalid":           "ValidateSpec",
		"UnsupportedClient":     "ValidateClient",
		"DrainNode":             "DrainNode",
		"Major Version Upgrade": "UpgradeMajorVersion",
		"failed to get the pod": "GetPod",

		"ReplicaSetCreateError":   "CreateReplicaSet",
		"ReplicaSetFailed":        "",
		"LaunchTemplateReconcile": "ReconcileLaunchTemplate",
		"LoadBalancerFailed":      "",
		"BuildModelFailed":        "BuildModel",
		"UpgradePath":             "",
		"FailedLabelNode":         "LabelNode",
		"LabelError":              "Label",
		"LabelNodeError":          "",
		"NodeLabelError":          "LabelNode",
		"JobRequestFailed":        "",
		"RequestFailed":           "",
		"Requested":               "Request",

		"DetachedUnexpectedly":              "", // nobody attempts that
		"KueueForcefullyDeleted":            "",
		"NodeTerminating":                   "",
		"CertificateExpired":                "",
		"ScaledJobActive":                   "",
		"PostGISDisabled":                   "",
		"CloneSourceInUse":                  "",
		"StatusNotUpdated":                  "",
		"DuplicatePodCreated":               "",
		"AddedOrUpdated":                    "",
		"StoppingNodeAndRemoveAll":          "",
		"PodFailed":                         "",
		"SettingsFailed":                    "",
		"NotReady":                          "",
		"Failed":                            "",
		"Reticulated":                       "",
		"":                                  "",
		"there is not enough space to grow": "",
	} {
		a, ok := ofReason(reason)
		if got := a.action(); ok != (want != "") || ok && got != want {
			t.Errorf("ofReason(%q) = %q, %t, want %q", reason, got, ok, want)
		}
	}
}

func TestOfNote(t *testing.T) {
	for _, test := range []struct {
		note, want string
		sure       bool
	}{
		{"failed to create the secret", "CreateSecret", true},
		{"Failed to create %s: %v", "Create", true},
		{"could not delete %s service: %v", "DeleteService", true},
		{"Error deleting migration target pod: %v", "DeleteMigrationTargetPod", true},
		{"Failed add finalizer due to %v", "AddFinalizer", true},
		{"failed backup %s was found", "", false}, // which is not said to be attempted
		{"Unable to backup the volume", "BackupVolume", true},
		{"Created statefulset %s/%s", "CreateStatefulSet", true},
		{"Successfully pulled 2 images", "Pull", true},
		{"Started watching events", "WatchEvents", true},
		{"Waiting for new pods to be ready", "WaitForPods", true},
		{"Cancelling replica %v eviction", "Cancel", true}, // not the replica
		{"Failed to compute the number of pods", "Compute", true},
		{"Backup failed", "", false},
		{"invalid schedule: %s", "ValidateSchedule", true},
		{"bad", "", false},
		{"Secret %s was created", "CreateSecret", false},
		{"Job suspended", "SuspendJob", false},
		{"x has been approved by y", "ApproveX", false},
		{"Configuration was added or updated", "", false},
		{"Kubelet detected a node IP", "", false},
		{"Detected replica %v in error", "", false},
		{"%v", "", false},
		{"", "", false},
	} {
		a, sure, ok := ofNote(test.note)
		if got := a.action(); ok != (test.want != "") || got != test.want || sure != test.sure {
			t.Errorf("ofNote(%q) = %q, %t, %t, want %q, %t", test.note, got, sure, ok, test.want, test.sure)
		}
	}
}

func TestOfFunction(t *testing.T) {
	for function, want := range map[string]string{
		"createSecret":                      "CreateSecret",
		"createSecretIfMissing":             "CreateSecret",
		"reconcileSecret":                   "ReconcileSecret",
		"reconcileDelete":                   "Delete",
		"ensureDeleted":                     "",
		"Reconcile":                         "Sync",
		"reconcileAll":                      "Sync",
		"reconcileStatus":                   "UpdateStatus",
		"startBackup":                       "StartBackup",
		"backupStatus":                      "", // a noun
		"createEvent":                       "",
		"createOrUpdateService":             "",
		"getPod":                            "", // for whoever attempts something
		"handleDeletePod":                   "", // what others have done
		"removeTheOldestAndLargestPodOfAll": "",
		"pod":                               "",
		"":                                  "",
	} {
		a, ok := ofFunction(function)
		if got := a.action(); ok != (want != "") || ok && got != want {
			t.Errorf("ofFunction(%q) = %q, %t, want %q", function, got, ok, want)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		name  string
		calls []Call
		want  []Choice
	}{
		{
			"the table, before all",
			[]Call{{Reason: "FailedCreate", Note: "failed to create the secret", Function: "reconcileSecret"}},
			[]Choice{{"Create", false}},
		},
		{
			"of several actions in the table that of the note",
			[]Call{{Reason: "BackOff", Note: "restarting"}, {Reason: "BackOff", Function: "Sync"}},
			[]Choice{{"Restart", false}, {"Sync", true}},
		},
		{
			"an object in the note",
			[]Call{
				{Reason: "CreateFailed", Note: "failed to create the secret", Function: "reconcileService"},
				{Reason: "CreateFailed", Note: "failed to create the service"},
				{Reason: "Stopped", Note: "Volume %v stopped to use it"},
			},
			[]Choice{{"CreateSecret", false}, {"CreateService", false}, {"Stop", false}},
		},
		{
			"an object in the name of the function",
			[]Call{{Reason: "CreateFailed", Note: "%v", Function: "reconcileSecret"}},
			[]Choice{{"CreateSecret", false}},
		},
		{
			"an object in another reason",
			[]Call{{Reason: "SecretSynced"}, {Reason: "SyncFailed"}, {Reason: "PodDeleted"}},
			[]Choice{{"SyncSecret", false}, {"SyncSecret", false}, {"DeletePod", false}},
		},
		{
			"objects in other reasons",
			[]Call{{Reason: "SecretSynced"}, {Reason: "PodSynced"}, {Reason: "SyncFailed"}},
			[]Choice{{"SyncSecret", false}, {"SyncPod", false}, {"Sync", false}},
		},
		{
			"none beside the action of the table",
			[]Call{{Reason: "Created"}, {Reason: "CreateFailed", Function: "reconcileSecret"}},
			[]Choice{{"Create", false}, {"Create", false}},
		},
		{
			"the object that the Event is about",
			[]Call{
				{Reason: "Paused", Note: "Job paused", Regarding: "Job"},
				{Reason: "SyncFailed", Function: "syncJob", Regarding: "Job"},
				{Reason: "JobSuspended", Regarding: "Job"},
				{Reason: "JobDeleted", Regarding: "Pod"},
				{Reason: "Failed", Function: "reconcileJob", Regarding: "Job"},
			},
			[]Choice{{"Pause", false}, {"Sync", false}, {"Suspend", false}, {"DeleteJob", false}, {"Sync", true}},
		},
		{
			"outcomes beside one attempt",
			[]Call{{Reason: "SecretSynced"}, {Reason: "Failed"}, {Reason: "Degraded"}},
			[]Choice{{"SyncSecret", false}, {"SyncSecret", true}, {"", true}},
		},
		{
			"an outcome beside two attempts",
			[]Call{{Reason: "SecretSynced"}, {Reason: "PodDeleted"}, {Reason: "Failed"}},
			[]Choice{{"SyncSecret", false}, {"DeletePod", false}, {"", true}},
		},
		{
			"a note, where the reason tells nothing",
			[]Call{{Reason: "Degraded", Note: "failed to create the secret", Function: "removePod"}},
			[]Choice{{"CreateSecret", false}},
		},
		{
			"the name of the function, where neither does",
			[]Call{{Reason: "Degraded", Note: "%v", Function: "createSecret"}, {Reason: "Degraded", Function: "createSecret"}},
			[]Choice{{"CreateSecret", true}, {"CreateSecret", true}},
		},
		{
			"a sentence, where nothing else does",
			[]Call{{Reason: "Info", Note: "Secret %s was created", Function: "info"}, {Reason: "Info", Note: "Waiting on it"}},
			[]Choice{{"CreateSecret", true}, {"", true}},
		},
		{
			"what the lint reports",
			[]Call{{Reason: "Recorded", Function: "recordEvent"}},
			[]Choice{{"", true}},
		},
		{
			"no reason",
			[]Call{{Note: "%v", Function: "Eventf"}, {Function: "Reconcile"}, {Reason: "SecretSynced"}},
			[]Choice{{"", true}, {"Sync", true}, {"SyncSecret", false}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Choose(test.calls)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTold(t *testing.T) {
	for reason, want := range map[string][]string{
		"Pulled":       {"Pull"},
		"BackOff":      {"Start", "Pull"},
		"SecretSynced": {"SyncSecret"},
		"Recorded":     nil,
		"Degraded":     nil,
	} {
		if diff := cmp.Diff(want, Told(reason)); diff != "" {
			t.Errorf("Told(%s) (-want +got):\n%s", reason, diff)
		}
	}
}

func TestName(t *testing.T) {
	for reason, want := range map[string]string{
		"Full":             "Full",
		"not enough space": "NotEnoughSpace",
		"example.com":      "ExampleCom",
		"%s is not ready":  "Sync",
		"a b c d e":        "Sync",
		"":                 "Sync",
		"3 pods":           "Sync",
	} {
		if got := Name(reason); got != want {
			t.Errorf("Name(%q) = %q, want %q", reason, got, want)
		}
	}
}

// A word that stands twice has two meanings, of which one is never read.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range strings.Split(wordList, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.Fields(strings.ReplaceAll(line, ",", " ")) {
			_, verb := forms[word]
			if seen[word] && !(verb && isOutcome(word)) {
				t.Errorf("%s stands twice", word)
			}
			seen[word] = true
		}
	}
	for _, word := range sections["states"] {
		if isOutcome(word) {
			t.Errorf("%s is a state and an outcome", word)
		}
		if f, verb := forms[word]; verb && f.kind != inflected {
			t.Errorf("%s is a state and a verb", word)
		}
	}
}

// An action is a word that the guide would accept, and no component has a reason twice without an own action for each.
func TestTable(t *testing.T) {
	camel := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	for i, row := range Table {
		for _, word := range append(strings.Fields(row.Reasons), row.Action) {
			if !camel.MatchString(word) {
				t.Errorf("row %d: %q is not UpperCamelCase", i, word)
			}
		}
		if row.By == "" || row.Regarding == "" || row.Reasons == "" {
			t.Errorf("row %d is not complete: %+v", i, row)
		}
		for _, other := range Table[:i] {
			if other.By == row.By && other.Action == row.Action && other.Regarding == row.Regarding && other.Here == row.Here {
				t.Errorf("row %d repeats %s of %s", i, row.Action, row.By)
			}
		}
		if slices.Contains(strings.Fields(row.Reasons), row.Action) {
			t.Errorf("row %d: the action repeats the reason %s", i, row.Action)
		}
	}
}
