module fairway.test/list-clients

go 1.26.0
