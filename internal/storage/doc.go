// Package storage is the storage folder: who may use it (a lock), its secret,
// where its files lie, and what an administrator does to it: back up, restore,
// examine. It knows files and tables, but no rules of the chat.
//
//	DIR/db/production.sqlite3   the database
//	DIR/files/ab/cd/abcd…       the bytes of one blob each, by its key
//	DIR/backups/                copies made before an upgrade
//	DIR/hearth.lock             held by the process that serves this folder
//	DIR/hearth.secret           SECRET_KEY_BASE, when the environment has none
package storage
