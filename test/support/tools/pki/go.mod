module fairway.test/pki

go 1.26.0
