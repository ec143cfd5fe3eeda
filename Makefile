# driftprint: a PGXS extension.
#
#   make, make install, make installcheck   as in any extension; PG_CONFIG= selects the server
#   make demo, make test                    set everything up themselves, on a throw-away server
#   make test-all                           the same tests on every server version at hand
#   make torture, make bench, make check-style
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

PG_CPPFLAGS = -Isrc -DDRIFTPRINT_VERSION='"$(EXTVERSION)"'
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers -MMD -MP
ifdef WERROR
PG_CFLAGS += -Werror
endif
SHLIB_LINK = -lyaml
EXTRA_CLEAN = $(OBJS:.o=.d)

# Without a server's development files nothing is built here; the targets at the
# end of this file do not need them.
PG_CONFIG ?= pg_config
PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
ifneq ($(PGXS),)
include $(PGXS)
else
all install uninstall installcheck:
	@echo "$@: $(PG_CONFIG) leads to no server's development files: install postgresql-server-dev-NN" >&2
	@echo "or say which with PG_CONFIG=. 'make test' and 'make demo' fetch what they need themselves." >&2
	@exit 1
endif

driftprint--$(EXTVERSION).sql: $(ROOM_SQL) Makefile
	{ printf '%s\n' '\echo Use "CREATE EXTENSION driftprint" to load this file. \quit'; cat $(ROOM_SQL); } > $@.tmp && mv $@.tmp $@

# Everything is compiled again when the server it is for is another.
$(OBJS): build/for-server
build/for-server: FORCE
	@mkdir -p build && echo "$(VERSION) $(PG_CONFIG)" | cmp -s - $@ || echo "$(VERSION) $(PG_CONFIG)" > $@
FORCE:

-include $(OBJS:.o=.d)

# What a clone can do by itself.  PG_VERSION= selects the server.
.PHONY: demo test test-all torture bench check-style
demo test test-all torture bench check-style:
	@test/run $@
