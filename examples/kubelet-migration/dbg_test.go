package main
import ("testing";"context";"fmt";"strings";"sync";"testing/synctest";"time"
"k8s.io/apimachinery/pkg/runtime"
corev1 "k8s.io/api/core/v1"
metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
clientevents "k8s.io/client-go/tools/events"
"k8s.io/apimachinery/pkg/types"
)
type dbg struct{clientevents.EventRecorderLogger; mu *sync.Mutex; m map[string]int}
func (d dbg) Eventf(r, rel runtime.Object, et, reason, action, note string, args ...any){
 d.mu.Lock(); ref:=r.(*corev1.ObjectReference); d.m[strings.SplitN(ref.Name,"-",2)[0]+" "+et+" "+reason]++; d.mu.Unlock()
 d.EventRecorderLogger.Eventf(r,rel,et,reason,action,note,args...)
}
func TestDbg(t *testing.T){
 for _, s:=range []side{before,after}{
 a:=memoryAPI(); d:=dbg{mu:&sync.Mutex{},m:map[string]int{}}
 s2:=s; s2.makeEventRecorder=func(ctx context.Context, deps *kubelet.Dependencies, n types.NodeName){ s.makeEventRecorder(ctx,deps,n); d.EventRecorderLogger=deps.Recorder; deps.Recorder=d }
 synctest.Test(t, func(t *testing.T){ n:=node{name:"node-1",side:s2,api:a,options:options{duration:time.Hour,namespace:"default",pleg:"evented",seed:1}}; _,err:=n.run(context.Background()); if err!=nil{t.Fatal(err)} 
 l,_:=a.client.CoreV1().Events("").List(context.Background(),metav1.ListOptions{})
 got:=map[string]int{}; objs:=map[string]int{}
 for _,e:=range l.Items{ k:=strings.SplitN(e.InvolvedObject.Name,"-",2)[0]+" "+e.Type+" "+e.Reason; c:=int(e.Count); if e.Series!=nil{c=int(e.Series.Count)}; if c==0{c=1}; got[k]+=c; objs[k]++ }
 fmt.Println(s.name); for k,v:=range d.m{ fmt.Printf("%-30s occ %5d server %5d objs %d\n",k,v,got[k],objs[k]) }
 })
 }}
func TestDbg2(t *testing.T){
 a:=memoryAPI()
 synctest.Test(t, func(t *testing.T){ n:=node{name:"node-1",side:after,api:a,options:options{duration:time.Hour,namespace:"default",pleg:"evented",seed:1}}; _,err:=n.run(context.Background()); if err!=nil{t.Fatal(err)} 
 l,_:=a.client.EventsV1().Events("").List(context.Background(),metav1.ListOptions{})
 for _,e:=range l.Items{ if e.Regarding.Name=="crasher-00"||e.Regarding.Name=="crasher-03"{ fmt.Println(e.Name,e.Regarding, e.Action, e.Reason,e.Note, e.EventTime.Format("15:04:05.000"), e.Series) } }
 })
}
