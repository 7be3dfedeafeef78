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
		"Pulled":             {"Pull"},
		"FailedCreate":       {"Create"},
		"Created":            {"Create"},
		"Updated":            {"Update"},
		"Deleted":            {"Delete"},
		"BackOff":            {"Start", "Pull"},
		"LeaderElection":     {"BecomeLeader", "StopLeading"},
		"FailedScheduling":   {"Scheduling"},
		"Denied":             nil,
		"Starting":           {"Start"}, // kube-proxy's action is about itself
		"Scheduled":          nil,       // of a pod a node; of a backup a time
		"CertificateExpired": nil,       // of a pod, but also of what a controller watches
		"Reticulated":        nil,
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
		"ExpansionInfeasible":   "Expand",
		"NodeRecovered":         "", // was seen
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

		"ExposedIPResolutionError":   "ResolveExposedIP", // which is exposed already
		"CanceledVolumeExpansion":    "CancelVolumeExpansion",
		"BudgetPreventPodDeletion":   "", // no budget is deleted
		"CreatedPod":                 "CreatePod",
		"DescheduleBindingSucceed":   "DescheduleBinding",
		"ScheduleBindingFailed":      "ScheduleBinding",
		"DeferringCoordinatorChange": "ChangeCoordinator",
		"PassedUpgradeCheck":         "CheckUpgrade",
		"FailedUpgradePreCheck":      "CheckUpgrade",
		"FailedPreStopHook":          "", // no hook is stopped
		"EvictionUserRequested":      "Evict",
		"StatusUpgraded":             "",
		"StatusUpdated":              "UpdateStatus",
		"HorizontalScale":            "Scale",
		"FailedChangeAbortion":       "AbortChange",
		"BuildBuilding":              "Build",
		"ConfigChange":               "", // nobody attempts to
		"ConfigChangeFailed":         "ChangeConfig",
		"SelectingAll":               "SelectAll",
		"HorizontalScalingFailed":    "Scale",
		"DriftDetected":              "", // nobody attempts to
		"DetectedDrift":              "",
		"ChangeObserved":             "",
		"SpecChanged":                "",
		"Changed":                    "",
		"DriftDetectionFailed":       "DetectDrift",

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
		"Register Soon":                     "", // somebody else is asked to
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
		{"failed backup %s was found", "FindBackup", false}, // no backup is attempted
		{"Unable to backup the volume", "BackupVolume", true},
		{"Created statefulset %s/%s", "CreateStatefulSet", true},
		{"Successfully pulled 2 images", "Pull", true},
		{"Started watching events", "WatchEvents", true},
		{"Waiting for new pods to be ready", "WaitForPods", true},
		{"Cancelling replica %v eviction", "CancelEviction", true}, // not the replica
		{"Removed pod %s finalizer", "Remove", true},
		{"Removed pod %s (node %s)", "RemovePod", true},
		{"Deleted failed v2 backing image %s", "DeleteBackingImage", true},
		{"Engine was detached unexpectedly", "DetachEngine", false},
		{"PVC resize failed: %v", "ResizePVC", true},
		{"restore job failed", "", false}, // no job is restored
		{"snapshot backup failed", "", false},
		{"node reported migration failed", "", false},
		{"Unable to install pg_repack", "InstallPgRepack", true},
		{"Can't scale down the cluster", "ScaleDownCluster", true},
		{"Can't scale down lower than %d", "ScaleDown", true},
		{"Shutting down the primary despite a checkpoint", "ShutDownPrimary", true},
		{"Configured limit is too small", "", false},
		{"Rendered config changed from %s to %s", "", false},
		{"Failed to compute the number of pods", "Compute", true},
		{"Backup failed", "", false},
		{"invalid schedule: %s", "ValidateSchedule", true},
		{"bad", "", false},
		{"Secret %s was created", "CreateSecret", false},
		{"Job suspended", "SuspendJob", false},
		{"x has been approved by y", "ApproveX", false},
		{"Configuration was added or updated", "", false},
		{"while enforcing retention policies", "EnforceRetentionPolicies", true},
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
		"reconcileRoleBinding":              "ReconcileRoleBinding",
		"reconcileDelete":                   "Delete",
		"ensureDeleted":                     "",
		"Reconcile":                         "Sync",
		"reconcileAll":                      "Sync",
		"reconcileStatus":                   "UpdateStatus",
		"startBackup":                       "StartBackup",
		"backupStatus":                      "", // a noun
		"createEvent":                       "",
		"createOrUpdateService":             "ApplyService",
		"getOrCreateSecret":                 "CreateSecret",
		"ensureSecret":                      "EnsureSecret",
		"syncSecret":                        "SyncSecret",
		"addOrUpdateEvent":                  "",
		"updateJobFailedStatus":             "UpdateJobStatus",
		"syncDegradedStatus":                "SyncStatus",
		"performUpdate":                     "Update",
		"send":                              "", // whatever was attempted
		"publish":                           "",
		"recordWarning":                     "",
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

func TestNamesAttempt(t *testing.T) {
	for function, want := range map[string]bool{
		"deletePod":          true,
		"getOrCreateSecret":  true,
		"create":             false,
		"Reconcile":          false,
		"reconcilePods":      false,
		"recordEvent":        false,
		"updateJobStatus":    false,
		"patchStatusFailed":  false,
		"setPhase":           false,
		"notifySubscribers":  false,
		"addOrRemoveVolumes": false,
	} {
		if got := NamesAttempt(function); got != want {
			t.Errorf("NamesAttempt(%q) = %t, want %t", function, got, want)
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
			[]Call{{Reason: "BackOff", Note: "restarting"}, {Reason: "BackOff", Function: "Sync", Regarding: "Image"}},
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
				{Reason: "ResizeFailed", Note: "Failed to resize PVC", Regarding: "PersistentVolumeClaim"},
				{Reason: "Failed", Function: "reconcileJob", Regarding: "Job"},
			},
			[]Choice{{"Pause", false}, {"Sync", false}, {"Suspend", false}, {"DeleteJob", false}, {"Resize", false}, {"Sync", true}},
		},
		{
			"outcomes beside one attempt",
			[]Call{{Reason: "SecretSynced"}, {Reason: "Failed"}, {Reason: "Degraded"}},
			[]Choice{{"SyncSecret", false}, {"SyncSecret", true}, {"Sync", true}},
		},
		{
			"an outcome beside two attempts",
			[]Call{{Reason: "SecretSynced"}, {Reason: "PodDeleted"}, {Reason: "Failed"}},
			[]Choice{{"SyncSecret", false}, {"DeletePod", false}, {"Sync", true}},
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
			[]Choice{{"CreateSecret", true}, {"Sync", true}},
		},
		{
			"what the lint reports",
			[]Call{{Reason: "Recorded", Function: "recordEvent"}},
			[]Choice{{"Sync", true}},
		},
		{
			"an outcome or a state, which is no action",
			[]Call{{Reason: "Accepted"}, {Reason: "Faulted"}, {Reason: "Command line too long"}, {Reason: "Status degraded"}},
			[]Choice{{"Sync", true}, {"Sync", true}, {"Sync", true}, {"Sync", true}},
		},
		{
			"a phrase",
			[]Call{{Reason: "image update"}, {Reason: "Status upgrade", Function: "statusProgressing"}},
			[]Choice{{"UpdateImage", true}, {"Sync", true}},
		},
		{
			"something unexpected",
			[]Call{{Reason: "NotifyServerFailure", Note: "The server exited unexpectedly"}},
			[]Choice{{"NotifyServer", true}},
		},
		{
			"an object beside its plural",
			[]Call{{Reason: "DeferringCoordinatorChange"}, {Reason: "ChangingCoordinators"}},
			[]Choice{{"ChangeCoordinators", false}, {"ChangeCoordinators", false}},
		},
		{
			"a verb that needs an object",
			[]Call{
				{Reason: "Cancelled", Note: "Cancelling replica %v eviction"},
				{Reason: "TransformationError", Note: "Failed setting up the transformation"},
			},
			[]Choice{{"CancelEviction", false}, {"Transform", true}},
		},
		{
			"a reason that the note and the function contradict",
			[]Call{
				{Reason: "UpdatingPods", Note: "Recreating pods", Function: "deletePods"},
				{Reason: "UpdatingPods", Note: "Deleting pods", Function: "reconcilePods"},
			},
			[]Choice{{"UpdatePods", true}, {"UpdatePods", false}},
		},
		{
			"what others did",
			[]Call{
				{Reason: "JobEvicted", Note: "%d workers are evicted", Function: "updateJobStatus", Regarding: "Job"},
				{Reason: "JobSuspended", Note: "Job is suspended", Function: "syncJob", Regarding: "Job"},
				{Reason: "SuccessfulPause", Note: "Job is paused", Function: "updateJobStatus", Regarding: "Job"},
			},
			[]Choice{{"UpdateStatus", true}, {"Suspend", false}, {"Pause", false}},
		},
		{
			"a part of the object that the Event is about",
			[]Call{
				{Reason: "NotReady", Function: "updateJobStatus", Regarding: "Job"},
				{Reason: "NotReady", Function: "updateJobTemplate", Regarding: "Job", In: 1},
			},
			[]Choice{{"UpdateStatus", true}, {"UpdateJobTemplate", true}},
		},
		{
			"a step of a reconciler",
			[]Call{
				{Reason: "NeedsBounce", Function: "reconcile", Receiver: "bounceProcesses"},
				{Reason: "NotReady", Function: "Reconcile", Receiver: "BuildReconcilerBase", In: 1},
			},
			[]Choice{{"BounceProcesses", true}, {"Sync", true}},
		},
		{
			"what is logged beside it, and then what has failed",
			[]Call{
				{Reason: "PolicyFailed", Log: "while enforcing policies", Failed: "DeleteBackups"},
				{Reason: "PodFailed", Log: "failed", Failed: "DeleteBackupsByAge", In: 1},
				{Reason: "Error", Failed: "Create", Object: "Secret", In: 2},
				{Reason: "Error", Failed: "Create", Object: "Secret", Regarding: "Secret", In: 3},
				{Reason: "Error", Failed: "handlePod", In: 4},
				{Reason: "CreationFailed", Failed: "Create", Object: "Secret", In: 5},
			},
			[]Choice{
				{"EnforcePolicies", true}, {"DeleteBackups", true}, {"CreateSecret", true}, {"Create", true}, {"Sync", true},
				{"CreateSecret", false},
			},
		},
		{
			"outcomes of one thing, in the methods of a type",
			[]Call{
				{Reason: "WatcherError", Note: "failed to watch the events", Receiver: "r"},
				{Reason: "WatcherStarted", Receiver: "r", In: 1},
				{Reason: "WatcherStarted", Receiver: "s", In: 2},
				{Reason: "PodFailed", Note: "failed to bind the volume", Receiver: "r", Regarding: "Pod", In: 3},
				{Reason: "PodSucceeded", Receiver: "r", Regarding: "Pod", In: 4},
				{Reason: "JobStarted", Receiver: "r", In: 5},
				{Reason: "JobFailed", Receiver: "r", In: 6},
			},
			[]Choice{
				{"WatchEvents", false}, {"WatchEvents", false}, {"StartWatcher", false}, {"BindVolume", false}, {"Sync", true},
				{"StartJob", false}, {"Sync", true},
			},
		},
		{
			"nothing but the object that the Event is about",
			[]Call{
				{Reason: "DeletedCR", Regarding: "Job"},
				{Reason: "HandleJobFailed", Regarding: "Job"},
				{Reason: "Idle", Function: "transform"},
			},
			[]Choice{{"Delete", false}, {"Sync", true}, {"Sync", true}},
		},
		{
			"no reason",
			[]Call{{Note: "%v", Function: "Eventf"}, {Function: "Reconcile"}, {Reason: "SecretSynced"}},
			[]Choice{{"Sync", true}, {"Sync", true}, {"SyncSecret", false}},
		},
		{
			"the pause of an attempt is not the attempt of its other calls",
			[]Call{
				{Reason: "OperationRetry", Note: "Pausing the operation"},
				{Reason: "OperationStarted", Note: "Starting the operation"},
			},
			[]Choice{{"PauseOperation", true}, {"StartOperation", false}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Choose(test.calls)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnify(t *testing.T) {
	for _, test := range []struct {
		name    string
		calls   []Call
		choices []Choice
		want    []string
	}{
		{
			"a guess in the other branch",
			[]Call{{Reason: "InvalidSpec", Branch: 1}, {Reason: "Accepted", Branch: 1}, {Reason: "Accepted", Branch: 2}, {}},
			[]Choice{{"ValidateSpec", false}, {"Sync", true}, {"Sync", true}, {"Sync", true}},
			[]string{"ValidateSpec", "ValidateSpec", "Sync", "Sync"},
		},
		{
			"a guess about something else in the other branch",
			[]Call{{Reason: "MarshalFailed", Branch: 1}, {Reason: "A", Branch: 1}},
			[]Choice{{"MarshalSecret", false}, {"SyncSecret", true}},
			[]string{"MarshalSecret", "SyncSecret"},
		},
		{
			"two attempts in the branches",
			[]Call{{Reason: "A", Branch: 1}, {Reason: "B", Branch: 1}, {Reason: "C", Branch: 1}},
			[]Choice{{"ValidateSpec", false}, {"CreatePod", false}, {"Sync", true}},
			[]string{"ValidateSpec", "CreatePod", "Sync"},
		},
		{
			"no certain attempt",
			[]Call{{Branch: 1}, {Branch: 1}, {Branch: 1}},
			[]Choice{{"Sync", false}, {"CreatePod", true}, {"DeletePod", true}},
			[]string{"Sync", "CreatePod", "DeletePod"},
		},
		{
			"an object in another call with the reason",
			[]Call{
				{Reason: "Rebuilt", Regarding: "Engine"},
				{Reason: "Rebuilt", Regarding: "Engine"},
				{Reason: "Rebuilt", Regarding: "Volume"},
			},
			[]Choice{{"RebuildReplica", false}, {"Rebuild", false}, {"Rebuild", false}},
			[]string{"RebuildReplica", "RebuildReplica", "Rebuild"},
		},
		{
			"no object of another request",
			[]Call{{Reason: "Deletion"}, {Reason: "Deletion"}},
			[]Choice{{"DeletePod", false}, {"Delete", false}},
			[]string{"DeletePod", "Delete"},
		},
		{
			"another object",
			[]Call{{Branch: 1}, {Branch: 1}},
			[]Choice{{"ScaleSetCount", false}, {"ScaleSet", false}},
			[]string{"ScaleSetCount", "ScaleSet"},
		},
		{
			"no other verb",
			[]Call{{Reason: "PodLost"}, {Reason: "PodLost"}},
			[]Choice{{"SetupPod", false}, {"Set", false}},
			[]string{"SetupPod", "Set"},
		},
		{
			"the verb of both reasons",
			[]Call{{Reason: "NoCheckpoint", Branch: 1}, {Reason: "SlowCheckpoint", Branch: 1}, {Reason: "ShutdownSlow", Branch: 1}},
			[]Choice{{"CheckpointPrimary", false}, {"ShutDownPrimary", false}, {"ShutDownPrimary", false}},
			[]string{"CheckpointPrimary", "CheckpointPrimary", "ShutDownPrimary"},
		},
		{
			"reasons that say nothing of the attempt",
			[]Call{{Reason: "Failed"}, {Reason: "Failed"}, {}, {}},
			[]Choice{{"CreatePod", false}, {"Sync", true}, {"DeletePod", false}, {"Sync", true}},
			[]string{"CreatePod", "Sync", "DeletePod", "Sync"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for i, choice := range unify(test.calls, test.choices) {
				got = append(got, choice.Action)
				if choice.Guess != test.choices[i].Guess {
					t.Errorf("%s: guess = %t, want %t", choice.Action, choice.Guess, test.choices[i].Guess)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
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

// A word that stands twice has two meanings, of which one is never read.
func TestWords(t *testing.T) {
	seen := map[string]string{}
	section := ""
	for _, line := range strings.Split(wordList, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		reads := slices.Contains(verbs, section) || section == "compounds" || section == "outcomes" || section == "states"
		for _, word := range strings.Fields(strings.ReplaceAll(line, ",", " ")) {
			_, verb := forms[word]
			before, twice := seen[word]
			if twice && (before == section || reads) && !(verb && isOutcome(word)) {
				t.Errorf("%s stands twice", word)
			}
			seen[word] = section
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
	seen := map[string]bool{}
	for line := range strings.Lines(table) {
		if line == "\n" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.TrimSpace(cells[0]) == "" || strings.TrimSpace(cells[3]) == "" {
			t.Errorf("not complete: %s", line)
			continue
		}
		key := cells[0] + cells[2] + cells[3] + cells[5]
		if seen[key] {
			t.Errorf("repeats an action of%s: %s", cells[0], line)
		}
		seen[key] = true
	}
	for _, row := range rows {
		for _, word := range append(row.reasons, row.action) {
			if !camel.MatchString(word) {
				t.Errorf("%q is not UpperCamelCase", word)
			}
		}
		if len(row.reasons) == 0 {
			t.Errorf("%s has no reasons", row.action)
		}
		if slices.Contains(row.reasons, row.action) {
			t.Errorf("the action repeats the reason %s", row.action)
		}
	}
}
