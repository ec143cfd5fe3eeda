--
-- What does it look like?  For each pattern values that have it and values that
-- do not, each from the rule's own text; then sensitivity by name and shape.
--
SET client_min_messages = warning;
\pset format unaligned
CREATE TABLE vector (expected text, value text);
COPY vector FROM stdin;
uuid	550e8400-e29b-41d4-a716-446655440000
uuid	550E8400-E29B-41D4-A716-446655440000
\N	{550e8400-e29b-41d4-a716-446655440000}
hex	550e8400e29b41d4a716446655440000
\N	550e8400-e29b-81d4-a716-446655440000
email	a.b+c@example.org
\N	a@b
filename	a@@example.org
\N	"quoted name"@example.org
url	https://example.org/x?y=1
\N	https://
\N	http://exa mple.org
urn	urn:isbn:0451450523
urn	URN:example:weather/today
\N	urn:
content_type	image/png
content_type	text/html; charset=utf-8
content_type	Application/vnd.api+json
path	a/image.png
ip	192.0.2.1
ip	2001:db8::1
ip	::ffff:192.0.2.1
\N	10.0.0.0/8
\N	192.0.2.1:80
\N	[2001:db8::1]
\N	fe80::1%eth0
\N	010.1.1.1
mac_address	00:1b:63:84:45:e6
mac_address	00-1B-63-84-45-E6
mac_address	00-11-22-33-44-55
hex	001b638445e6
\N	00:1b-63:84:45:e6
country_code	DE
country_code	de
\N	XX
currency_code	EUR
currency_code	xau
\N	DEU
postal_code	EC1A 1BB
postal_code	EC1A1BB
postal_code	K1A 0B1
postal_code	1012 AB
numeric_string	90210
isbn	978-0-306-40615-7
isbn	9780306406157
isbn	0-306-40615-2
isbn	080442957X
numeric_string	9780306406158
ean	4006381333931
ean	73513537
numeric_string	4006381333930
imei	490154203237518
card_number	378282246310005
card_number	4111 1111 1111 1111
card_number	4111-1111-1111-1111
numeric_string	4111111111111112
iban	DE89 3704 0044 0532 0130 00
iban	GB82WEST12345698765432
\N	GB82WEST12345698765433
bic	DEUTDEFF
bic	DEUTDEFF500
\N	DEUTXXFF
phone	+49 30 1234567
phone	(555) 123-4567
numeric_string	5551234567
semver	555.123.4567
\N	123-45-6789
timezone	Europe/London
timezone	America/Indiana/Knox
timezone	UTC
path	europe/london
json	{"a": 1}
json	[1, 2]
numeric_string	42
\N	{"a": 1
hex	#ff00aa
hex	d41d8cd98f00b204e9800998ecf8427e
\N	abc
numeric_string	123456
jwt	eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP
jwt	eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.
\N	abc.def.1234
vin	1M8GDM9AXKP042788
\N	1M8GDM9AXKP042789
base64	SGVsbG8gV29ybGQhIQ==
base64	QUJDREVGR0hJSktMTU5P
\N	helloworldhelloo
\N	SGVsbG8gV29ybGQ
latlon	52.5200, 13.4050
latlon	-33.8688,151.2093
\N	52.5200 13.4050
\N	95.5,10.5
\N	52, 13
iso8601_duration	P1Y2M3DT4H5M6S
iso8601_duration	PT36H
iso8601_duration	P2W
\N	P
country_code	PT
iso8601_date	2024-02-29
\N	2024-02-31
numeric_string	20240115
iso8601_datetime	2024-01-15T10:30:00Z
iso8601_datetime	2024-01-15 10:30:00.123456+02:00
iso8601_datetime	2024-01-15 10:30
\N	2024-01-15t10:30:00z
numeric_string	-12.5
\N	1e5
\N	1,000
semver	1.2.3
semver	v1.0.0-alpha.1+build.5
numeric_string	1.2
\N	01.2.3
path	/usr/local/bin
path	src/model/model.h
\N	C:\\temp\\x
\N	a b/c
filename	report.pdf
filename	archive.tar.gz
\N	.bashrc
\N	1.5a.
prose	This is a sentence with the usual words in it.
\N	lorem ipsum dolor sit amet consectetur
\N	one two three
\.
SELECT value, expected, drift_looks_like(value) AS found FROM vector WHERE drift_looks_like(value) IS DISTINCT FROM expected;
SELECT count(*) AS vectors, count(DISTINCT expected) AS patterns FROM vector;

-- a column says it when 95% of the sampled values agree, with the evidence
CREATE TABLE looked AS SELECT g AS id, 'user' || g || '@example.org' AS mail,
	CASE WHEN g % 25 = 0 THEN 'n/a ' || g ELSE 'user' || g || '@example.org' END AS mostly,
	CASE WHEN g % 3 = 0 THEN 'text ' || g ELSE 'user' || g || '@example.org' END AS partly,
	1700000000 + g AS created_epoch, (1700000000 + g)::text AS epoch_text, g::text AS digits, g % 5 AS few,
	(ARRAY['DE', 'FR', 'PL'])[1 + g % 3] AS land, md5(g::text) AS checksum, 'x' AS "firstName" FROM generate_series(1, 3000) g;
SELECT c.key AS column, c.value -> 'inferred' AS inferred FROM jsonb_each(drift_profile('looked') -> 'columns') c ORDER BY c.key COLLATE "C";
SELECT drift_profile('looked') = drift_profile('looked') AS same_twice;

-- sensitivity: the name first, shape where the name is ambiguous
SELECT n, drift_sensitivity(n) FROM unnest(ARRAY['first_name', 'firstName', 'classname', 'name', 'customer_name', 'company', 'email', 'ssn', 'dob', 'age',
	'api_key', 'key', 'password_hash', 'salary', 'latitude', 'city', 'zip', 'iban', 'account_number', 'ip_address', 'user_id', 'diagnosis', 'status',
	'gender', 'ethnicity', 'token', 'hash', 'user_agent', 'street', 'PassportNumber', 'birthDate', 'id_number', 'email_address', 'address', 'home_address']) n;
SELECT drift_sensitivity('x', ARRAY['a@b.org', 'c@d.org']), drift_sensitivity('account_number', ARRAY['4111111111111111', '378282246310005']),
	drift_sensitivity('key', ARRAY['d41d8cd98f00b204e9800998ecf8427e']), drift_sensitivity('id_number', ARRAY['123-45-6789', '321-54-9876']),
	drift_sensitivity('id_number', ARRAY['A1', 'B2']), drift_sensitivity(NULL);
DROP TABLE vector, looked;
