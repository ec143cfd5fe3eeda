# driftprint: a PGXS extension.
#
#   make, make install, make installcheck   as in any extension; PG_CONFIG= selects the server
#   make demo, make test                    set everything up themselves, on a throw-away server
#
EXTENSION = driftprint
MODULE_big = driftprint
EXTVERSION = 0.1.0

# The rooms, in the order in which their SQL can be created.
ROOMS = model store catalog detect config profile load print diff judge plan report watch

OBJS = $(patsubst %.c,%.o,$(sort $(wildcard src/*.c src/*/*.c)))
ROOM_SQL = $(foreach room,$(ROOMS),$(sort $(wildcard src/$(room)/*.sql)))
DATA_built = driftprint--$(EXTVERSION).sql
DATA = $(wildcard driftprint--*--*.sql)
ifneq ($(wildcard bin/driftprint),)
SCRIPTS = bin/driftprint
endif

REGRESS = $(sort $(patsubst sql/%.sql,%,$(wildcard sql/*.sql)))
REGRESS_OPTS = --inputdir=. --load-extension=driftprint
ISOLATION = $(sort $(patsubst test/isolation/specs/%.spec,%,$(wildcard test/isolation/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test/isolation --load-extension=driftprint

PG_CPPFLAGS = -Isrc
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers -MMD -MP
ifdef WERROR
PG_CFLAGS += -Werror
endif
SHLIB_LINK = -lyaml
EXTRA_CLEAN = $(OBJS:.o=.d)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

driftprint--$(EXTVERSION).sql: $(ROOM_SQL) Makefile
	{ printf '%s\n' '\echo Use "CREATE EXTENSION driftprint" to load this file. \quit'; cat $(ROOM_SQL); } > $@.tmp && mv $@.tmp $@

-include $(OBJS:.o=.d)
