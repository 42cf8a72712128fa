module fairway.test/ssh-git-server

go 1.26.0

require golang.org/x/crypto v0.57.0

require golang.org/x/sys v0.48.0 // indirect
