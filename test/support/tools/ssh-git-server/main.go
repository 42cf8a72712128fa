// An SSH server that serves git repositories for reading: `ssh-git-server FOLDER AUTHORIZED_KEY`.
//
// It makes a host key, writes one line of JSON with its port and its public host key, and ends with its standard input.
// It is written in Go so that what our use of ssh meets in tests is not the same program again.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/crypto/ssh"
)

var command = regexp.MustCompile(`^git-upload-pack '([^']+)'$`)

// What is said of large files is in a file of this name, in the folder with the repositories.
var authenticate = regexp.MustCompile(`^git-lfs-authenticate '([^']+)' download$`)

const largeFiles = "lfs-authenticate.json"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ssh-git-server FOLDER AUTHORIZED_KEY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, authorized string) error {
	wanted, _, _, _, err := ssh.ParseAuthorizedKey([]byte(authorized))
	if err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return err
	}
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if string(key.Marshal()) != string(wanted.Marshal()) {
				return nil, errors.New("unknown key")
			}
			return nil, nil
		},
	}
	config.AddHostKey(signer)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	hostKey := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
	report := map[string]any{"port": listener.Addr().(*net.TCPAddr).Port, "hostKey": hostKey}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		go serve(connection, config, folder)
	}
}

func serve(raw net.Conn, config *ssh.ServerConfig, folder string) {
	defer raw.Close()
	_, channels, requests, err := ssh.NewServerConn(raw, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		if offered.ChannelType() != "session" {
			_ = offered.Reject(ssh.UnknownChannelType, "only sessions")
			continue
		}
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		go session(channel, requests, folder)
	}
}

func session(channel ssh.Channel, requests <-chan *ssh.Request, folder string) {
	protocol := ""
	for request := range requests {
		switch request.Type {
		case "env":
			var variable struct{ Name, Value string }
			if ssh.Unmarshal(request.Payload, &variable) == nil && variable.Name == "GIT_PROTOCOL" {
				protocol = variable.Value
			}
			_ = request.Reply(true, nil)
		case "exec":
			var exec struct{ Command string }
			_ = ssh.Unmarshal(request.Payload, &exec)
			_ = request.Reply(true, nil)
			go answer(channel, exec.Command, protocol, folder)
		default:
			_ = request.Reply(false, nil)
		}
	}
}

func answer(channel ssh.Channel, text, protocol, folder string) {
	defer channel.Close()
	status := uint32(1)
	if parts := command.FindStringSubmatch(text); parts != nil {
		pack := exec.Command("git", "upload-pack", filepath.Join(folder, filepath.Clean("/"+parts[1])))
		pack.Env = append(os.Environ(), "GIT_PROTOCOL="+protocol)
		pack.Stdout, pack.Stderr = channel, channel.Stderr()
		input, err := pack.StdinPipe()
		if err == nil && pack.Start() == nil {
			go func() {
				_, _ = io.Copy(input, channel)
				input.Close()
			}()
			if pack.Wait() == nil {
				status = 0
			}
		}
	}
	if authenticate.MatchString(text) {
		if said, err := os.ReadFile(filepath.Join(folder, largeFiles)); err == nil {
			_, _ = channel.Write(said)
			status = 0
		}
	}
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
}
