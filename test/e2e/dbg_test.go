package e2e
import "testing"
func TestDbg(t *testing.T) {
	c := newAccessCase(t)
	c.emit(5)
	c.Await("the refusal", func() bool {
		return len(c.Log.Lines(c.Namespace, remedy)) > 0
	})
	c.Await("x", func() bool { return c.Stats().Retries>2 })
	for _, l := range c.Log.Lines() { t.Log(l) }
	t.Logf("%+v", c.adapter.Status())
}
