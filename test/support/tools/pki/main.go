// Makes the keys and certificates of a test control plane: `pki FOLDER`.
//
// It is written in Go so that what our own TLS code meets in tests was not made by our own TLS code.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

const lifetime = 10 * 365 * 24 * time.Hour

type identity struct {
	file  string
	name  string
	group string
}

var clients = []identity{
	{file: "admin", name: "admin", group: "system:masters"},
	{file: "controller-manager", name: "system:kube-controller-manager"},
	{file: "scheduler", name: "system:kube-scheduler"},
	{file: "kubelet-client", name: "kubelet-client", group: "system:masters"},
	{file: "fairway", name: "fairway", group: "fairway"},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pki FOLDER")
		os.Exit(2)
	}
	if err := makeAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func makeAll(folder string) error {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca := template("fairway-test-ca", "")
	ca.IsCA = true
	ca.BasicConstraintsValid = true
	ca.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	if err != nil {
		return err
	}
	if err := writePair(folder, "ca", caDER, caKey); err != nil {
		return err
	}
	issue := func(file string, certificate *x509.Certificate) error {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		der, err := x509.CreateCertificate(rand.Reader, certificate, ca, &key.PublicKey, caKey)
		if err != nil {
			return err
		}
		return writePair(folder, file, der, key)
	}
	serving := template("kube-apiserver", "")
	serving.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	serving.DNSNames = []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"}
	serving.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, net.IPv4(10, 96, 0, 1)}
	if err := issue("serving", serving); err != nil {
		return err
	}
	// The same, and it has run out.
	expired := *serving
	expired.NotAfter = time.Now().Add(-time.Minute)
	if err := issue("expired", &expired); err != nil {
		return err
	}
	for _, each := range clients {
		certificate := template(each.name, each.group)
		certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		if err := issue(each.file, certificate); err != nil {
			return err
		}
	}
	return writeServiceAccountKey(folder)
}

func template(name, group string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err)
	}
	subject := pkix.Name{CommonName: name}
	if group != "" {
		subject.Organization = []string{group}
	}
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(lifetime),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
}

func writePair(folder, file string, der []byte, key *ecdsa.PrivateKey) error {
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := writePEM(folder, file+".key", "PRIVATE KEY", keyDER); err != nil {
		return err
	}
	return writePEM(folder, file+".crt", "CERTIFICATE", der)
}

func writeServiceAccountKey(folder string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	if err := writePEM(folder, "service-account.key", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)); err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	return writePEM(folder, "service-account.pub", "PUBLIC KEY", public)
}

func writePEM(folder, file, kind string, der []byte) error {
	return os.WriteFile(filepath.Join(folder, file), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
