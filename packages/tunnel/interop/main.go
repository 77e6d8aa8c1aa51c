// A peer for src/interop.test.ts: HashiCorp's yamux on one TCP connection that the test accepts.
//
// The first line of each stream of the test is a command; `orders` below says what each one does. Where an answer is
// a report, it is one line of text. Faults go to standard error.
package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/yamux"
)

const dialTimeout = 30 * time.Second

// command is what the test asked for on one stream.
type command struct {
	session *yamux.Session
	stream  *yamux.Stream
	// in is the stream with what was read past the command's line.
	in     *bufio.Reader
	amount int64
}

var orders = map[string]func(command) error{
	// Everything comes back; the end comes back as the end.
	"echo": func(c command) error {
		_, err := io.Copy(c.stream, c.in)
		return err
	},
	// Half-closes first, then reads to the end and tells the count on standard output.
	"close-first": func(c command) error {
		if err := c.stream.Close(); err != nil {
			return err
		}
		count, err := io.Copy(io.Discard, c.in)
		report("read %d %v", count, err)
		return nil
	},
	// Sends so many bytes and half-closes.
	"send": func(c command) error { return fill(c.stream, c.amount) },
	// Reads to the end and reports what was read.
	"hash": func(c command) error {
		sum := sha256.New()
		count, err := io.Copy(sum, c.in)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.stream, "%d %x\n", count, sum.Sum(nil))
		return err
	},
	// Reads nothing until `resume` was ordered on another stream; reports the count.
	"stall": func(c command) error {
		<-resumed
		count, err := io.Copy(io.Discard, c.in)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.stream, "%d\n", count)
		return err
	},
	"resume": func(c command) error {
		close(resumed)
		return nil
	},
	// Reads on until it fails and tells the reason on standard output.
	"await-reset": func(c command) error {
		if _, err := c.stream.Write([]byte("ready\n")); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, c.in)
		report("reset %v", errors.Is(err, yamux.ErrConnectionReset))
		return nil
	},
	// Half-closes and waits: after -close-timeout yamux resets the stream.
	"reset": func(c command) error { return c.stream.Close() },
	// Asks for an echo of the session.
	"ping": func(c command) error {
		_, err := c.session.Ping()
		if err != nil {
			return err
		}
		_, err = c.stream.Write([]byte("pong\n"))
		return err
	},
	// Opens a stream, sends so many bytes, and reports whether the same came back.
	"open": func(c command) error {
		opening.Lock()
		back, err := c.session.OpenStream()
		opening.Unlock()
		if err != nil {
			_, err = fmt.Fprintf(c.stream, "refused %v\n", errors.Is(err, yamux.ErrRemoteGoAway))
			return err
		}
		sent := make(chan error, 1)
		go func() {
			err := fill(back, c.amount)
			sent <- errors.Join(err, back.Close())
		}()
		got, want := sha256.New(), sha256.New()
		count, err := io.Copy(got, back)
		if err = errors.Join(err, <-sent, fill(want, c.amount)); err != nil {
			return err
		}
		isSame := string(got.Sum(nil)) == string(want.Sum(nil))
		_, err = fmt.Fprintf(c.stream, "%d %v\n", count, isSame)
		return err
	},
	// Takes no more streams; this one goes on as an echo.
	"go-away": func(c command) error {
		if err := c.session.GoAway(); err != nil {
			return err
		}
		_, err := io.Copy(c.stream, c.in)
		return err
	},
}

var resumed = make(chan struct{})

// HashiCorp takes the id and sends the SYN in two steps, so that two openers may overtake each other;
// docs/protocol.md wants ids in rising order.
var opening sync.Mutex

// fill writes bytes that the test can make too: byte i is (i*31 + i/251) mod 256.
func fill(to io.Writer, amount int64) error {
	// HashiCorp makes one frame of one write; docs/protocol.md bounds a frame to 32 KiB.
	block := make([]byte, 32*1024)
	for at := int64(0); at < amount; {
		size := min(int64(len(block)), amount-at)
		for i := range size {
			n := at + i
			block[i] = byte(n*31 + n/251)
		}
		if _, err := to.Write(block[:size]); err != nil {
			return err
		}
		at += size
	}
	return nil
}

func report(format string, values ...any) {
	fmt.Fprintf(os.Stdout, format+"\n", values...)
}

func serve(session *yamux.Session, stream *yamux.Stream) {
	defer stream.Close()
	in := bufio.NewReader(stream)
	line, err := in.ReadString('\n')
	if err != nil {
		log.Printf("no command: %v", err)
		return
	}
	name, amountText, _ := strings.Cut(strings.TrimSpace(line), " ")
	amount, _ := strconv.ParseInt(amountText, 10, 64)
	order, isKnown := orders[name]
	if !isKnown {
		log.Printf("unknown command %q", name)
		return
	}
	if err := order(command{session, stream, in, amount}); err != nil {
		log.Printf("%s: %v", name, err)
	}
}

func main() {
	role := flag.String("role", "client", "client or server of the yamux session")
	address := flag.String("connect", "", "host:port of the test")
	closeTimeout := flag.Duration("close-timeout", 5*time.Minute, "half-closed streams are reset after it")
	flag.Parse()

	socket, err := net.DialTimeout("tcp", *address, dialTimeout)
	if err != nil {
		log.Fatal(err)
	}
	config := yamux.DefaultConfig()
	config.StreamCloseTimeout = *closeTimeout
	config.LogOutput = os.Stderr
	start := yamux.Client
	if *role == "server" {
		start = yamux.Server
	}
	session, err := start(socket, config)
	if err != nil {
		log.Fatal(err)
	}
	for {
		stream, err := session.AcceptStream()
		if err != nil {
			report("over %v", err)
			return
		}
		go serve(session, stream)
	}
}
