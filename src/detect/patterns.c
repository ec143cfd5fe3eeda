/*-------------------------------------------------------------------------
 *
 * patterns.c
 *	  What a single value looks like: one scanner a pattern.
 *
 * Each scanner is the rule of dbprint v1, section 4.1.1, by hand: linear in
 * the value, without a regular expression, safe on any bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <arpa/inet.h>
#include <math.h>

#include "compat.h"
#include "detect/detect.h"
#include "detect/sets.h"
#include "mb/pg_wchar.h"
#include "pgtime.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_alpha(char c)
{
	return is_upper(c) || is_lower(c);
}

static bool
is_alnum(char c)
{
	return is_alpha(c) || is_digit(c);
}

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char
fold(char c)
{
	return is_upper(c) ? c + 32 : c;
}

/* Digits from *c on; moves *c behind them. */
static int
take_digits(const char **c)
{
	const char *start = *c;

	while (is_digit(**c))
		(*c)++;
	return *c - start;
}

/* The digits of a value whose other characters are all in "separators"; -1 otherwise. */
static int
strip_digits(const char *value, const char *separators, char *digits, int max)
{
	int			n = 0;

	for (; *value; value++)
	{
		if (is_digit(*value))
		{
			if (n == max)
				return -1;
			digits[n++] = *value;
		}
		else if (strchr(separators, *value) == NULL)
			return -1;
	}
	digits[n] = '\0';
	return n;
}

/* ---------- checksums ---------- */

static bool
luhn(const char *digits, int n)
{
	int			sum = 0;

	for (int i = 0; i < n; i++)
	{
		int			digit = digits[n - 1 - i] - '0';

		if (i % 2 == 1 && (digit *= 2) > 9)
			digit -= 9;
		sum += digit;
	}
	return n > 0 && sum % 10 == 0;
}

/* GS1: weights 3 and 1 alternating from the right of the payload. */
static bool
gs1(const char *digits, int n)
{
	int			sum = 0;

	for (int i = 1; i < n; i++)
		sum += (digits[n - 1 - i] - '0') * (i % 2 == 1 ? 3 : 1);
	return (sum + digits[n - 1] - '0') % 10 == 0;
}

/* ---------- one scanner a pattern ---------- */

static bool
is_uuid(const char *v)
{
	if (strlen(v) != 36)
		return false;
	for (int i = 0; i < 36; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? v[i] != '-' : !is_hex(v[i]))
			return false;
	return v[14] >= '1' && v[14] <= '7' && strchr("89abAB", v[19]) != NULL;
}

static bool
is_email(const char *v)
{
	const char *at = strchr(v, '@');
	const char *dot;

	if (at == NULL || at == v || strchr(at + 1, '@') != NULL)
		return false;
	for (const char *c = v; c < at; c++)
		if (!is_alnum(*c) && strchr("._%+-", *c) == NULL)
			return false;
	for (const char *c = at + 1; *c; c++)
		if (!is_alnum(*c) && *c != '.' && *c != '-')
			return false;
	dot = strrchr(at, '.');
	if (dot == NULL || dot == at + 1 || strlen(dot + 1) < 2)
		return false;
	for (const char *c = dot + 1; *c; c++)
		if (!is_alpha(*c))
			return false;
	return true;
}

static bool
has_space(const char *v)
{
	for (; *v; v++)
		if (is_space(*v))
			return true;
	return false;
}

static bool
is_url(const char *v)
{
	const char *rest = strncmp(v, "http://", 7) == 0 ? v + 7 : strncmp(v, "https://", 8) == 0 ? v + 8 : NULL;

	return rest != NULL && *rest != '\0' && !has_space(v);
}

static bool
is_urn(const char *v)
{
	const char *c = v + 4;
	const char *start = c;

	if (pg_strncasecmp(v, "urn:", 4) != 0 || !is_alnum(*c))
		return false;
	while (is_alnum(*c) || *c == '-')
		c++;
	return c - start <= 31 && *c == ':' && c[1] != '\0' && !has_space(c);
}

/* RFC 6838: a registered top-level type, a subtype, parameters. */
static bool
is_content_type(const char *v)
{
	static const char *const types[] = {
		"application", "audio", "example", "font", "image", "message", "model", "multipart", "text", "video"
	};
	const char *slash = strchr(v, '/');
	const char *c;
	bool		known = false;

	if (slash == NULL)
		return false;
	for (int i = 0; i < lengthof(types); i++)
		known |= strlen(types[i]) == slash - v && pg_strncasecmp(v, types[i], slash - v) == 0;
	if (!known)
	{
		if (pg_strncasecmp(v, "x-", 2) != 0 || slash - v < 3)
			return false;
		for (c = v; c < slash; c++)
			if (!is_alnum(*c) && *c != '-')
				return false;
	}
	c = slash + 1;
	if (!is_alnum(*c))
		return false;
	while (is_alnum(*c) || (*c && strchr("!#$&-^_.+", *c)))
		c++;
	while (*c == ' ')
		c++;
	return *c == '\0' || (*c == ';' && strchr(c, '=') != NULL);
}

static bool
is_ip(const char *v)
{
	unsigned char address[sizeof(struct in6_addr)];

	if (strlen(v) > INET6_ADDRSTRLEN || v[strspn(v, "0123456789abcdefABCDEF:.")] != '\0')
		return false;
	if (inet_pton(AF_INET6, v, address) == 1)
		return true;
	for (const char *c = v; *c; c++)	/* an octet with a leading zero is ambiguous */
		if (*c == '0' && (c == v || c[-1] == '.') && is_digit(c[1]))
			return false;
	return inet_pton(AF_INET, v, address) == 1;
}

static bool
is_mac_address(const char *v)
{
	if (strlen(v) != 17 || (v[2] != ':' && v[2] != '-'))
		return false;
	for (int i = 0; i < 17; i++)
		if (i % 3 == 2 ? v[i] != v[2] : !is_hex(v[i]))
			return false;
	return true;
}

static bool
is_country_code(const char *v)
{
	return strlen(v) == 2 && detect_is_country(v);
}

static bool
is_currency_code(const char *v)
{
	return strlen(v) == 3 && detect_is_currency(v);
}

/* "A" a letter, "9" a digit, "X" either, " " an optional space. */
static bool
has_shape(const char *v, const char *shape)
{
	for (; *shape; shape++)
	{
		if (*shape == ' ')
		{
			if (*v == ' ')
				v++;
			continue;
		}
		if (*shape == 'A' ? !is_alpha(*v) : *shape == '9' ? !is_digit(*v) : !is_alnum(*v))
			return false;
		v++;
	}
	return *v == '\0';
}

/* United Kingdom, Canada, Netherlands: the formats that carry letters. */
static bool
is_postal_code(const char *v)
{
	static const char *const shapes[] = {
		"A9 9AA", "A99 9AA", "AA9 9AA", "AA99 9AA", "A9A 9AA", "AA9A 9AA", "A9A 9A9", "9999 AA"
	};

	for (int i = 0; i < lengthof(shapes); i++)
		if (has_shape(v, shapes[i]))
			return shapes[i][0] != '9' || v[0] != '0';
	return false;
}

static bool
is_isbn(const char *v)
{
	char		digits[16];
	int			n = 0;
	int			sum = 0;

	for (; *v; v++)
	{
		if (*v == '-' || *v == ' ')
			continue;
		if (n == 13 || (!is_digit(*v) && !(n == 9 && fold(*v) == 'x' && v[1] == '\0')))
			return false;
		digits[n++] = *v;
	}
	if (n == 13)
		return (strncmp(digits, "978", 3) == 0 || strncmp(digits, "979", 3) == 0) && gs1(digits, 13);
	if (n != 10)
		return false;
	for (int i = 0; i < 10; i++)
		sum += (is_digit(digits[i]) ? digits[i] - '0' : 10) * (10 - i);
	return sum % 11 == 0;
}

static bool
is_ean(const char *v)
{
	int			n = strlen(v);

	return (n == 8 || n == 12 || n == 13 || n == 14) && strspn(v, "0123456789") == n && gs1(v, n);
}

/* Reporting body identifiers that GSMA has allocated. */
static bool
is_imei(const char *v)
{
	static const char *const bodies[] = {
		"01", "10", "30", "33", "35", "44", "45", "49", "50", "51", "52", "53", "54", "86", "91", "97", "98", "99"
	};

	if (strlen(v) != 15 || strspn(v, "0123456789") != 15 || !luhn(v, 15))
		return false;
	for (int i = 0; i < lengthof(bodies); i++)
		if (strncmp(v, bodies[i], 2) == 0)
			return true;
	return false;
}

static bool
is_card_number(const char *v)
{
	char		digits[20];
	int			n = strip_digits(v, " -", digits, 19);

	return n >= 13 && is_digit(v[0]) && luhn(digits, n);
}

static bool
is_iban(const char *v)
{
	char		text[36];
	int			n = 0;
	int			rest = 0;

	for (; *v; v++)
	{
		if (*v == ' ')
			continue;
		if (n == 34 || !is_alnum(*v))
			return false;
		text[n++] = is_lower(*v) ? *v - 32 : *v;
	}
	if (n < 15 || !is_alpha(text[0]) || !is_alpha(text[1]) || !is_digit(text[2]) || !is_digit(text[3]))
		return false;
	for (int i = 0; i < n; i++)
	{
		char		c = text[(i + 4) % n];

		rest = is_digit(c) ? (rest * 10 + c - '0') % 97 : (rest * 100 + c - 'A' + 10) % 97;
	}
	return rest == 1;
}

static bool
is_bic(const char *v)
{
	int			n = strlen(v);

	if (n != 8 && n != 11)
		return false;
	for (int i = 0; i < n; i++)
		if (i < 6 ? !is_alpha(v[i]) : !is_alnum(v[i]))
			return false;
	return detect_is_country((char[]) {v[4], v[5], '\0'});
}

static bool
is_phone(const char *v)
{
	char		digits[17];
	bool		plus = *v == '+';
	int			n = strip_digits(plus ? v + 1 : v, " -()", digits, 16);

	if (n < 0)
		return false;
	return plus ? n >= 8 && n <= 15 : n >= 10 && n <= 15 && strlen(v) > n;
}

/*
 * A name of the time zone database, as it is spelled there.  The server also
 * takes POSIX specifications, which all have digits; of names with digits only
 * those of Etc/ and the old American ones are in the database.
 */
static bool
is_timezone(const char *v)
{
	static const char *const with_digits[] = {"EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "GMT0", "GMT+0", "GMT-0"};
	pg_tz	   *zone;
	bool		known = false;

	if (!is_upper(*v) || strlen(v) > 40 || strlen(v) < 2)
		return false;
	for (const char *c = v; *c; c++)
	{
		if (!is_alnum(*c) && strchr("/_-+", *c) == NULL)
			return false;
		known |= is_digit(*c);
	}
	if (known && strncmp(v, "Etc/", 4) != 0)
	{
		known = false;
		for (int i = 0; i < lengthof(with_digits); i++)
			known |= strcmp(v, with_digits[i]) == 0;
		return known;
	}
	zone = pg_tzset(v);
	return zone != NULL && strcmp(pg_get_timezone_name(zone), v) == 0;
}

static bool
is_json(const char *v)
{
	while (is_space(*v))
		v++;
	return (*v == '{' || *v == '[') && compat_is_json(v, strlen(v));
}

static bool
is_hexadecimal(const char *v)
{
	bool		letter = false;
	int			n = 0;

	if (*v == '#')
		v++;
	for (; *v; v++, n++)
	{
		if (!is_hex(*v))
			return false;
		letter |= is_alpha(*v);
	}
	return n >= 6 && letter;
}

static int
base64_value(char c)
{
	if (is_upper(c))
		return c - 'A';
	if (is_lower(c))
		return c - 'a' + 26;
	if (is_digit(c))
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* The header's bytes; -1 when it is not base64url. */
static int
decode_base64url(const char *v, int n, char *out)
{
	uint32		bits = 0;
	int			nbits = 0;
	int			written = 0;

	for (int i = 0; i < n; i++)
	{
		int			value = strchr("+/", v[i]) ? -1 : base64_value(v[i]);

		if (value < 0)
			return -1;
		bits = (bits << 6) | value;
		nbits += 6;
		if (nbits >= 8)
		{
			nbits -= 8;
			out[written++] = (bits >> nbits) & 0xff;
		}
	}
	out[written] = '\0';
	return written;
}

static bool
is_jwt(const char *v)
{
	const char *first = strchr(v, '.');
	const char *second = first ? strchr(first + 1, '.') : NULL;
	char	   *header;
	int			n;
	bool		found;

	if (second == NULL || first == v || strchr(second + 1, '.') != NULL || first - v > 4096)
		return false;
	for (const char *c = first + 1; *c; c++)
		if (!is_alnum(*c) && strchr("-_.", *c) == NULL)
			return false;
	header = palloc(first - v + 1);
	n = decode_base64url(v, first - v, header);
	found = n > 0 && header[0] == '{' && strlen(header) == n && strstr(header, "\"alg\"") != NULL &&
		compat_is_json(header, n);
	pfree(header);
	return found;
}

/* 49 CFR 565.15: letters transliterate, positions weigh, the ninth checks. */
static bool
is_vin(const char *v)
{
	static const int values[26] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 0, 7, 0, 9, 2, 3, 4, 5, 6, 7, 8, 9};
	static const int weights[17] = {8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2};
	int			sum = 0;

	if (strlen(v) != 17)
		return false;
	for (int i = 0; i < 17; i++)
	{
		if (!is_upper(v[i]) && !is_digit(v[i]))
			return false;
		if (v[i] == 'I' || v[i] == 'O' || v[i] == 'Q')
			return false;
		sum += weights[i] * (is_digit(v[i]) ? v[i] - '0' : values[v[i] - 'A']);
	}
	return v[8] == (sum % 11 == 10 ? 'X' : '0' + sum % 11);
}

static bool
is_base64(const char *v)
{
	int			n = strlen(v);
	int			padding = 0;
	bool		upper = false;
	bool		lower = false;
	bool		standard = false;
	bool		url_safe = false;

	if (n < 16)
		return false;
	while (padding < 2 && n > 0 && v[n - 1] == '=')
	{
		n--;
		padding++;
	}
	for (int i = 0; i < n; i++)
	{
		if (base64_value(v[i]) < 0)
			return false;
		upper |= is_upper(v[i]);
		lower |= is_lower(v[i]);
		standard |= v[i] == '+' || v[i] == '/';
		url_safe |= v[i] == '-' || v[i] == '_';
	}
	return upper && lower && !(standard && url_safe) && (n + padding) % 4 == 0;
}

/* A decimal with a fraction, its absolute value at most "limit". */
static bool
take_coordinate(const char **c, double limit)
{
	const char *start = *c;

	if (**c == '-' || **c == '+')
		(*c)++;
	if (take_digits(c) == 0 || **c != '.')
		return false;
	(*c)++;
	return take_digits(c) > 0 && *c - start < 32 && fabs(strtod(start, NULL)) <= limit;
}

static bool
is_latlon(const char *v)
{
	if (!take_coordinate(&v, 90) || *v != ',')
		return false;
	for (v++; is_space(*v);)
		v++;
	return take_coordinate(&v, 180) && *v == '\0';
}

/* Numbers with these units, in this order, each at most once. */
static bool
take_units(const char **c, const char *units, int *taken)
{
	while (is_digit(**c))
	{
		const char *unit;

		(void) take_digits(c);
		if (**c == '.' && strchr(units, 'S') != NULL)
		{
			(*c)++;
			if (take_digits(c) == 0 || **c != 'S')
				return false;
		}
		unit = **c ? strchr(units, **c) : NULL;
		if (unit == NULL)
			return false;
		units = unit + 1;
		(*c)++;
		(*taken)++;
	}
	return true;
}

static bool
is_duration(const char *v)
{
	const char *c = v + 1;
	int			taken = 0;
	int			before;

	if (*v != 'P')
		return false;
	if (is_digit(*c) && take_digits(&c) > 0 && *c == 'W')
		return c[1] == '\0';
	c = v + 1;
	if (!take_units(&c, "YMD", &taken))
		return false;
	if (*c == 'T')
	{
		c++;
		before = taken;
		if (!take_units(&c, "HMS", &taken) || taken == before)
			return false;
	}
	return *c == '\0' && taken > 0;
}

static int
number(const char *v, int n)
{
	int			value = 0;

	for (int i = 0; i < n; i++)
		value = value * 10 + v[i] - '0';
	return value;
}

/* A valid calendar date at the beginning. */
static bool
begins_with_date(const char *v)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int			year;
	int			month;
	int			day;

	for (int i = 0; i < 10; i++)
		if (i == 4 || i == 7 ? v[i] != '-' : !is_digit(v[i]))
			return false;
	year = number(v, 4);
	month = number(v + 5, 2);
	day = number(v + 8, 2);
	return year > 0 && month >= 1 && month <= 12 && day >= 1 &&
		day <= days[month - 1] + (month == 2 && ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0));
}

static bool
is_date(const char *v)
{
	return begins_with_date(v) && v[10] == '\0';
}

static bool
two_digits(const char *v)
{
	return is_digit(v[0]) && is_digit(v[1]);
}

static bool
is_datetime(const char *v)
{
	if (!begins_with_date(v) || (v[10] != 'T' && v[10] != ' '))
		return false;
	v += 11;
	if (!two_digits(v) || v[2] != ':' || !two_digits(v + 3) || number(v, 2) > 24 || number(v + 3, 2) > 59)
		return false;
	v += 5;
	if (*v == ':')
	{
		if (!two_digits(v + 1) || number(v + 1, 2) > 60)
			return false;
		v += 3;
		if (*v == '.')
		{
			int			n;

			v++;
			n = take_digits(&v);
			if (n < 1 || n > 6)
				return false;
		}
	}
	if (*v == 'Z')
		v++;
	else if (*v == '+' || *v == '-')
	{
		if (!two_digits(v + 1) || v[3] != ':' || !two_digits(v + 4))
			return false;
		v += 6;
	}
	return *v == '\0';
}

static bool
is_numeric_string(const char *v)
{
	if (*v == '-')
		v++;
	if (take_digits(&v) == 0)
		return false;
	if (*v == '.')
	{
		v++;
		if (take_digits(&v) == 0)
			return false;
	}
	return *v == '\0';
}

/* Dot-separated identifiers; numeric ones of a prerelease without a leading zero. */
static bool
take_identifiers(const char **c, bool prerelease)
{
	do
	{
		const char *start = *c;
		bool		numeric = true;

		while (is_alnum(**c) || **c == '-')
		{
			numeric &= is_digit(**c);
			(*c)++;
		}
		if (*c == start || (prerelease && numeric && *start == '0' && *c - start > 1))
			return false;
	} while (**c == '.' && (*c)++);
	return true;
}

static bool
is_semver(const char *v)
{
	if (*v == 'v')
		v++;
	for (int i = 0; i < 3; i++)
	{
		const char *start = v;

		if (i > 0 && *v++ != '.')
			return false;
		start = v;
		if (take_digits(&v) == 0 || (*start == '0' && v - start > 1))
			return false;
	}
	if (*v == '-')
	{
		v++;
		if (!take_identifiers(&v, true))
			return false;
	}
	if (*v == '+')
	{
		v++;
		if (!take_identifiers(&v, false))
			return false;
	}
	return *v == '\0';
}

static bool
is_network(const char *v)
{
	const char *slash = strchr(v, '/');
	char		address[64];

	if (slash == NULL || slash - v >= sizeof(address) || slash[1] == '\0' || strspn(slash + 1, "0123456789") != strlen(slash + 1))
		return false;
	memcpy(address, v, slash - v);
	address[slash - v] = '\0';
	return is_ip(address);
}

/* At least one slash with a segment before it, no white space, no scheme. */
static bool
is_path(const char *v)
{
	const char *slash = strchr(v, '/');

	if (slash == NULL || has_space(v) || strstr(v, "://") != NULL || strchr(v, '\\') != NULL || is_network(v))
		return false;
	if (slash == v)
		slash = v[1] && v[1] != '/' ? v + 1 : NULL;	/* absolute: the segment comes after */
	return slash != NULL;
}

static bool
is_filename(const char *v)
{
	const char *dot = strrchr(v, '.');
	int			n;

	if (dot == NULL || dot == v || strchr(v, '/') || strchr(v, '\\') || has_space(v) || !is_alpha(dot[1]))
		return false;
	n = strlen(dot + 1);
	for (int i = 0; i < n; i++)
		if (!is_alnum(dot[1 + i]))
			return false;
	return n <= 10;
}

static bool
is_prose(const char *v)
{
	static const char *const words[] = {
		"a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "for", "from", "had", "has", "have", "he", "her", "his",
		"i", "if", "in", "is", "it", "its", "my", "no", "not", "of", "on", "or", "our", "she", "so", "that", "the",
		"their", "them", "they", "this", "to", "was", "we", "were", "will", "with", "you", "your"
	};
	int			tokens = 0;
	bool		function_word = false;

	while (*v)
	{
		char		token[16];
		int			n = 0;

		while (is_space(*v))
			v++;
		if (*v == '\0')
			break;
		for (; *v && !is_space(*v); v++)
			if (n < sizeof(token) - 1 && (is_alpha(*v) || n > 0))
				token[n++] = fold(*v);
		while (n > 0 && !is_alpha(token[n - 1]))
			n--;
		token[n] = '\0';
		tokens++;
		for (int i = 0; i < lengthof(words) && !function_word; i++)
			function_word = strcmp(token, words[i]) == 0;
		if (tokens >= 5 && function_word)
			return true;
	}
	return false;
}

/* ---------- all ---------- */

static const struct
{
	const char *name;
	bool		(*matches) (const char *value);
}			patterns[PATTERN_COUNT] =
{
	[PATTERN_UUID] = {"uuid", is_uuid},
	[PATTERN_EMAIL] = {"email", is_email},
	[PATTERN_URL] = {"url", is_url},
	[PATTERN_URN] = {"urn", is_urn},
	[PATTERN_CONTENT_TYPE] = {"content_type", is_content_type},
	[PATTERN_IP] = {"ip", is_ip},
	[PATTERN_MAC_ADDRESS] = {"mac_address", is_mac_address},
	[PATTERN_COUNTRY_CODE] = {"country_code", is_country_code},
	[PATTERN_CURRENCY_CODE] = {"currency_code", is_currency_code},
	[PATTERN_POSTAL_CODE] = {"postal_code", is_postal_code},
	[PATTERN_ISBN] = {"isbn", is_isbn},
	[PATTERN_EAN] = {"ean", is_ean},
	[PATTERN_IMEI] = {"imei", is_imei},
	[PATTERN_CARD_NUMBER] = {"card_number", is_card_number},
	[PATTERN_IBAN] = {"iban", is_iban},
	[PATTERN_BIC] = {"bic", is_bic},
	[PATTERN_PHONE] = {"phone", is_phone},
	[PATTERN_TIMEZONE] = {"timezone", is_timezone},
	[PATTERN_JSON] = {"json", is_json},
	[PATTERN_HEX] = {"hex", is_hexadecimal},
	[PATTERN_JWT] = {"jwt", is_jwt},
	[PATTERN_VIN] = {"vin", is_vin},
	[PATTERN_BASE64] = {"base64", is_base64},
	[PATTERN_LATLON] = {"latlon", is_latlon},
	[PATTERN_ISO8601_DURATION] = {"iso8601_duration", is_duration},
	[PATTERN_ISO8601_DATE] = {"iso8601_date", is_date},
	[PATTERN_ISO8601_DATETIME] = {"iso8601_datetime", is_datetime},
	[PATTERN_NUMERIC_STRING] = {"numeric_string", is_numeric_string},
	[PATTERN_SEMVER] = {"semver", is_semver},
	[PATTERN_PATH] = {"path", is_path},
	[PATTERN_FILENAME] = {"filename", is_filename},
	[PATTERN_PROSE] = {"prose", is_prose}
};

const char *
detect_pattern_name(DetectPattern pattern)
{
	return pattern < PATTERN_COUNT ? patterns[pattern].name : NULL;
}

bool
detect_matches(DetectPattern pattern, const char *value)
{
	return patterns[pattern].matches(value);
}

DetectPattern
detect_value(const char *value)
{
	for (int i = 0; i < PATTERN_COUNT; i++)
		if (patterns[i].matches(value))
			return (DetectPattern) i;
	return PATTERN_NONE;
}
