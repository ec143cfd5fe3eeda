cho Use "CREATE EXTENSION driftprint" to load this file. \quit
