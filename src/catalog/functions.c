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

const FamilyReader catalog_functions = {
	.classid = ProcedureRelationId,
	.grants = OBJECT_FUNCTION,
	.sql =
	"SELECT p.oid, CASE p.prokind WHEN 'a' THEN 'aggregate' WHEN 'p' THEN 'procedure' ELSE 'function' END,"
	" n.nspname::text, p.proname::text, oidvectortypes(p.proargtypes), p.proowner, p.proacl,"
	" jsonb_build_object("
	"  'arguments', nullif(pg_get_function_arguments(p.oid), ''),"
	"  'returns', CASE WHEN p.prokind <> 'p' THEN pg_get_function_result(p.oid) END,"
	"  'language', CASE WHEN p.prokind <> 'a' THEN l.lanname END,"
	"  'window', " SET_FLAG("p.prokind = 'w'") ","
	"  'volatility', CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' END,"
	"  'parallel', CASE p.proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' END,"
	"  'strict', " SET_FLAG("p.proisstrict") ","
	"  'security_definer', " SET_FLAG("p.prosecdef") ","
	"  'leakproof', " SET_FLAG("p.proleakproof") ","
	"  'cost', CASE WHEN p.prokind <> 'a' THEN nullif(p.procost::numeric,"
	"   CASE WHEN l.lanname IN ('c', 'internal') THEN 1 ELSE 100 END) END,"
	"  'rows', CASE WHEN p.proretset THEN nullif(p.prorows::numeric, 1000) END,"
	"  'support', " FUNCTION_NAME("p.prosupport") ","
	"  'config', to_jsonb(p.proconfig))"
	" || CASE WHEN p.prokind <> 'a' THEN '{}' ELSE jsonb_build_object("
	"  'kind', CASE a.aggkind WHEN 'o' THEN 'ordered_set' WHEN 'h' THEN 'hypothetical_set' END,"
	"  'direct_arguments', nullif(a.aggnumdirectargs, 0),"
	"  'transition_function', " FUNCTION_NAME("a.aggtransfn") ","
	"  'state_type', format_type(a.aggtranstype, NULL),"
	"  'state_space', nullif(a.aggtransspace, 0),"
	"  'final_function', " FUNCTION_NAME("a.aggfinalfn") ","
	"  'final_function_extra', " SET_FLAG("a.aggfinalextra") ","
	"  'final_function_modify', CASE WHEN a.aggfinalmodify"
	"   <> CASE a.aggkind WHEN 'n' THEN 'r' ELSE 'w' END::\"char\" THEN a.aggfinalmodify END,"
	"  'combine_function', " FUNCTION_NAME("a.aggcombinefn") ","
	"  'serial_function', " FUNCTION_NAME("a.aggserialfn") ","
	"  'deserial_function', " FUNCTION_NAME("a.aggdeserialfn") ","
	"  'initial_value', a.agginitval,"
	"  'moving_transition_function', " FUNCTION_NAME("a.aggmtransfn") ","
	"  'moving_inverse_function', " FUNCTION_NAME("a.aggminvtransfn") ","
	"  'moving_state_type', format_type(nullif(a.aggmtranstype, 0), NULL),"
	"  'moving_state_space', nullif(a.aggmtransspace, 0),"
	"  'moving_final_function', " FUNCTION_NAME("a.aggmfinalfn") ","
	"  'moving_final_function_extra', " SET_FLAG("a.aggmfinalextra") ","
	"  'moving_final_function_modify', CASE WHEN a.aggmtransfn <> 0 AND a.aggmfinalmodify"
	"   <> CASE a.aggkind WHEN 'n' THEN 'r' ELSE 'w' END::\"char\" THEN a.aggmfinalmodify END,"
	"  'moving_initial_value', a.aggminitval,"
	"  'sort_operator', nullif(a.aggsortop, 0)::regoperator::text) END,"
	" CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid) END, NULL::jsonb"
	" FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
	" JOIN pg_language l ON l.oid = p.prolang"
	" LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid AND p.prokind = 'a'"
	" WHERE " USER_SCHEMA " AND " USER_OBJECT("p.oid")
	/* the constructors of a range type belong to it */
	" AND NOT EXISTS (SELECT FROM pg_depend i WHERE i.classid = 'pg_proc'::regclass"
	"  AND i.objid = p.oid AND i.objsubid = 0 AND i.deptype = 'i')"
};
