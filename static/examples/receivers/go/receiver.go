// A webhook receiver in Go's standard library: verify, deduplicate, respond at once, process afterwards.
//
//	WEBHOOK_SECRET=whsec_… PORT=3000 go run receiver.go
//
// Either signature is enough. This one checks X-Service-Signature; a Standard Webhooks library checks the other
// one, webhook-signature, with the same secret.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxBodyBytes = 1 << 20

type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// isGenuine reports whether "t=…,v1=…[,v1=…]" was made with our secret, at most five minutes ago.
func isGenuine(header string, body []byte, secret string, now time.Time) bool {
	var timestamp string
	var values []string
	for _, field := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "t":
			timestamp = value
		case "v1":
			values = append(values, value) // while a secret is rotated there are two
		}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := now.Sub(time.Unix(seconds, 0)); age.Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	// The bytes as received: parsed and serialized again, they would differ.
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, value := range values {
		got, err := hex.DecodeString(value)
		if err == nil && hmac.Equal(expected, got) { // in constant time
			return true
		}
	}
	return false
}

// inbox holds events to process, each once. Use a database table with a unique event id: this one is lost at a restart.
type inbox struct {
	mutex  sync.Mutex
	seen   map[string]bool
	events chan event
}

func (i *inbox) put(e event) {
	i.mutex.Lock()
	known := i.seen[e.ID] // delivered before: an event can arrive twice
	i.seen[e.ID] = true
	i.mutex.Unlock()
	if !known {
		i.events <- e
	}
}

func (i *inbox) work() {
	for e := range i.events {
		fmt.Println("processed", e.ID, e.Type) // your work goes here
	}
}

func main() {
	secret, port := os.Getenv("WEBHOOK_SECRET"), os.Getenv("PORT")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	if port == "" {
		port = "3000"
	}
	box := &inbox{seen: map[string]bool{}, events: make(chan event, 10_000)}
	go box.work()
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil || !isGenuine(r.Header.Get("X-Service-Signature"), body, secret, time.Now()) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var e event
		if json.Unmarshal(body, &e) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		box.put(e)
		w.WriteHeader(http.StatusNoContent) // within 10 seconds; the event is processed afterwards
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
