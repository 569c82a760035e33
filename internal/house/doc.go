// Package house holds the house against its own plan: its tests fail when a package imports what the table of imports
// does not allow. There is nothing here to call.
package house
