module example.com/deskbell-cli

go 1.21
