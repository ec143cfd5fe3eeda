/*-------------------------------------------------------------------------
 *
 * functions.c
 *	  Functions, procedures and aggregates, each overload by itself.
 *
 * The signature is the types of the input arguments, which is what tells two
 * overloads apart; names, modes and defaults of arguments are attributes.  An
 * aggregate has no pg_get_functiondef(): its attributes are all there is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/families.h"
#include "catalog/pg_proc.h"

/* What an aggregate's final function may do to its state, unless it is the default of its kind. */
#define MODIFY(column) \
	"CASE nullif(" column ", CASE a.aggkind WHEN 'n' THEN 'r' ELSE 'w' END::\"char\")" \
	" WHEN 'r' THEN 'read_only' WHEN 's' THEN 'shareable' WHEN 'w' THEN 'read_write' END"

const FamilyReader catalog_functions = {
	.families = {"function", "procedure", "aggregate"},
	.classid = ProcedureRelationId,
	.grants = OBJECT_FUNCTION,
	.sql =
	"SELECT p.oid AS _oid,"
	" CASE p.prokind WHEN 'a' THEN 'aggregate' WHEN 'p' THEN 'procedure' ELSE 'function' END AS _family,"
	" n.nspname AS _schema, p.proname AS _name, oidvectortypes(p.proargtypes) AS _signature,"
	" p.proowner AS _owner, p.proacl AS _acl,"
	" CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid) END AS _definition,"
	" nullif(pg_get_function_arguments(p.oid), '') AS arguments,"
	" CASE WHEN p.prokind <> 'p' THEN pg_get_function_result(p.oid) END AS returns,"
	" CASE WHEN p.prokind <> 'a' THEN l.lanname END AS language,"
	" p.prokind = 'w' AS window,"
	" CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' END AS volatility,"
	" CASE p.proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' END AS parallel,"
	" p.proisstrict AS strict,"
	" p.prosecdef AS security_definer,"
	" p.proleakproof AS leakproof,"
	" CASE WHEN p.prokind <> 'a' THEN nullif(p.procost::numeric,"
	"  CASE WHEN l.lanname IN ('c', 'internal') THEN 1 ELSE 100 END) END AS cost,"
	" CASE WHEN p.proretset THEN nullif(p.prorows::numeric, 1000) END AS rows,"
	" " FUNCTION_NAME("p.prosupport") " AS support,"
	" p.proconfig AS config,"
	" CASE a.aggkind WHEN 'o' THEN 'ordered_set' WHEN 'h' THEN 'hypothetical_set' END AS kind,"
	" nullif(a.aggnumdirectargs, 0) AS direct_arguments,"
	" " FUNCTION_NAME("a.aggtransfn") " AS transition_function,"
	" " TYPE_NAME("a.aggtranstype") " AS state_type,"
	" nullif(a.aggtransspace, 0) AS state_space,"
	" " FUNCTION_NAME("a.aggfinalfn") " AS final_function,"
	" a.aggfinalextra AS final_function_extra,"
	" " MODIFY("a.aggfinalmodify") " AS final_function_modify,"
	" " FUNCTION_NAME("a.aggcombinefn") " AS combine_function,"
	" " FUNCTION_NAME("a.aggserialfn") " AS serial_function,"
	" " FUNCTION_NAME("a.aggdeserialfn") " AS deserial_function,"
	" a.agginitval AS initial_value,"
	" " FUNCTION_NAME("a.aggmtransfn") " AS moving_transition_function,"
	" " FUNCTION_NAME("a.aggminvtransfn") " AS moving_inverse_function,"
	" " TYPE_NAME("a.aggmtranstype") " AS moving_state_type,"
	" nullif(a.aggmtransspace, 0) AS moving_state_space,"
	" " FUNCTION_NAME("a.aggmfinalfn") " AS moving_final_function,"
	" a.aggmfinalextra AS moving_final_function_extra,"
	" CASE WHEN a.aggmtransfn <> 0 THEN " MODIFY("a.aggmfinalmodify") " END AS moving_final_function_modify,"
	" a.aggminitval AS moving_initial_value,"
	" nullif(a.aggsortop, 0)::regoperator::text AS sort_operator"
	" FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
	" JOIN pg_language l ON l.oid = p.prolang"
	" LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid AND p.prokind = 'a'"
	" WHERE " USER_SCHEMA " AND " USER_OBJECT("p.oid")
	/* the constructors of a range type belong to it */
	" AND " NOT_INTERNAL("pg_proc", "p.oid")
};
