/*-------------------------------------------------------------------------
 *
 * sensitivity.c
 *	  Whether a column holds what must not leave the database.
 *
 * The column's name is the evidence (dbprint v1, section 4.4.3): it is cut into
 * words at separators and at changes of case, and looked for as a run of whole
 * words, so that "firstName" and "first_name" are one and "classname" is no
 * name.  Ambiguity is resolved towards flagging; absence never means safe.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "detect/detect.h"

#define MAX_NAME 256

/* What an ambiguous word needs beside it. */
typedef enum Corroboration
{
	NAME_SAYS_IT,				/* nothing: the word means only this */
	NEEDS_ACCOUNT_SHAPE,		/* iban or card_number */
	NEEDS_HEX_OR_JWT,
	NEEDS_SSN,					/* half of the sampled values */
	NEEDS_PERSON				/* another word of the name speaks of a person */
} Corroboration;

typedef struct Vocabulary
{
	const char *category;
	Corroboration corroboration;
	const char *words;			/* entries separated by spaces, words by "_" */
} Vocabulary;

/* The most specific first; the first that matches decides. */
static const Vocabulary vocabularies[] = {
	{"credential", NAME_SAYS_IT,
	"password passwd pwd password_hash passwordhash password_digest passphrase api_key apikey secret_key secretkey access_token "
	"accesstoken refresh_token refreshtoken session_token auth_token authtoken bearer_token private_key privatekey "
	"client_secret clientsecret encryption_key signing_key webhook_secret api_secret otp_secret totp_secret pin_code "
	"password_salt recovery_code security_answer credentials"},
	{"credential", NEEDS_HEX_OR_JWT, "key token secret hash"},
	{"national_id", NAME_SAYS_IT,
	"ssn social_security social_security_number national_id nationalid national_insurance national_insurance_number nino "
	"tax_id taxid tax_number tin itin passport passport_number passport_no drivers_license driver_license driving_licence "
	"drivers_licence license_number licence_number identity_card identity_number id_card personal_number personnummer "
	"aadhaar cpf curp dni nie bsn pesel steuer_id sin_number medicare_number nhs_number"},
	{"national_id", NEEDS_SSN, "id_number identification_number identification government_id"},
	{"financial_account", NAME_SAYS_IT,
	"iban bank_account bankaccount bank_account_number credit_card creditcard card_number cardnumber cc_number cvv cvc cvv2 "
	"card_security_code debit_card account_iban credit_card_number"},
	{"financial_account", NEEDS_ACCOUNT_SHAPE, "account_number account_no pan"},
	{"date_of_birth", NAME_SAYS_IT,
	"date_of_birth dateofbirth dob birth_date birthdate birthday born born_on born_at birth_year year_of_birth birth_day"},
	{"health", NAME_SAYS_IT,
	"diagnosis diagnoses diagnosis_code icd icd10 icd_code blood_type bloodtype blood_group medication medications prescription "
	"allergy allergies disability disabilities medical_history medical_record medical_condition symptom symptoms vaccination "
	"vaccine hiv pregnancy patient_notes mental_health immunization"},
	{"demographic", NAME_SAYS_IT,
	"ethnicity ethnic_group ethnic_origin race religion religious_affiliation sexual_orientation gender_identity political_party "
	"political_affiliation political_opinion union_membership trade_union union_member caste"},
	{"employment", NAME_SAYS_IT,
	"salary salaries base_salary annual_salary wage wages hourly_wage bonus commission compensation base_pay gross_pay net_pay "
	"hourly_rate pay_rate"},
	{"geolocation", NAME_SAYS_IT,
	"latitude longitude lat lng lon latlon lat_lon latlng lat_lng geolocation geo_location geohash gps coordinates geo_point "
	"gps_coordinates geopoint"},
	{"postal_address", NAME_SAYS_IT,
	"street street_address streetaddress street_name home_address homeaddress mailing_address postal_address billing_address "
	"shipping_address delivery_address residential_address address_line address_line1 address_line2 addressline address_1 "
	"address_2 address1 address2 addr addr1 addr2 house_number apartment_number"},
	{"personal_name", NAME_SAYS_IT,
	"first_name firstname given_name givenname forename last_name lastname surname family_name familyname middle_name middlename "
	"maiden_name full_name fullname legal_name birth_name nick_name nickname contact_name customer_name patient_name "
	"employee_name person_name cardholder_name cardholder account_holder guardian_name emergency_contact recipient_name "
	"passenger_name author_name owner_name beneficiary_name"},
	{"personal_name", NEEDS_PERSON, "name"},
	{"contact", NAME_SAYS_IT,
	"email e_mail mail_address email_address emailaddress phone phone_number phonenumber telephone telephone_number tel mobile "
	"mobile_number cell_phone cellphone fax fax_number msisdn whatsapp contact_number"},
	{"online_identifier", NAME_SAYS_IT,
	"ip ip_address ipaddress ip_addr remote_addr client_ip remote_ip source_ip last_ip user_ip mac_address macaddress device_id "
	"deviceid device_identifier advertising_id idfa gaid session_id sessionid cookie cookie_id browser_fingerprint fingerprint "
	"imei imsi udid user_agent"},
	/* of an address by itself, what the name does not say before is a place */
	{"postal_address", NAME_SAYS_IT, "address"}
};

/* Words that make "name" a person's. */
static const char person_words[] =
"user customer client patient employee person contact owner author member guest student teacher doctor buyer seller "
"driver passenger recipient sender subscriber applicant candidate tenant resident spouse parent child father mother "
"manager agent holder signer payer payee";

/* Shapes that decide whatever the name is (section 4.4.3). */
static const struct
{
	DetectPattern pattern;
	const char *category;
}			shapes[] =
{
	{PATTERN_JWT, "credential"},
	{PATTERN_IBAN, "financial_account"},
	{PATTERN_CARD_NUMBER, "financial_account"},
	{PATTERN_LATLON, "geolocation"},
	{PATTERN_EMAIL, "contact"},
	{PATTERN_PHONE, "contact"},
	{PATTERN_IP, "online_identifier"},
	{PATTERN_MAC_ADDRESS, "online_identifier"}
};

/* "firstName" and "First-Name" become "_first_name_". */
static void
cut_into_words(const char *name, char *words)
{
	int			n = 0;
	bool		was_lower = false;

	words[n++] = '_';
	for (; *name && n < MAX_NAME - 3; name++)
	{
		bool		upper = *name >= 'A' && *name <= 'Z';
		bool		lower = *name >= 'a' && *name <= 'z';
		bool		next_lower = name[1] >= 'a' && name[1] <= 'z';

		if (!upper && !lower && !(*name >= '0' && *name <= '9') && !IS_HIGHBIT_SET(*name))
		{
			if (words[n - 1] != '_')
				words[n++] = '_';
			was_lower = false;
			continue;
		}
		if (upper && words[n - 1] != '_' && (was_lower || next_lower))
			words[n++] = '_';
		words[n++] = upper ? *name + 32 : *name;
		was_lower = lower || (*name >= '0' && *name <= '9');
	}
	if (words[n - 1] != '_')
		words[n++] = '_';
	words[n] = '\0';
}

/* Whether one of the entries is a run of whole words of the name. */
static bool
has_word(const char *name, const char *entries)
{
	while (*entries)
	{
		int			length = strcspn(entries, " ");
		char		entry[64];
		const char *found;

		entry[0] = '_';
		memcpy(entry + 1, entries, length);
		entry[length + 1] = '_';
		entry[length + 2] = '\0';
		found = strstr(name, entry);
		if (found != NULL)
			return true;
		entries += length;
		entries += strspn(entries, " ");
	}
	return false;
}

static bool
is_corroborated(const char *name, Corroboration corroboration, DetectPattern looks_like, const DetectTally *tally)
{
	switch (corroboration)
	{
		case NAME_SAYS_IT:
			return true;
		case NEEDS_ACCOUNT_SHAPE:
			return looks_like == PATTERN_IBAN || looks_like == PATTERN_CARD_NUMBER;
		case NEEDS_HEX_OR_JWT:
			return looks_like == PATTERN_HEX || looks_like == PATTERN_JWT;
		case NEEDS_SSN:
			return tally != NULL && tally->sampled > 0 && tally->ssn >= 0.50 * tally->sampled;
		case NEEDS_PERSON:
			return has_word(name, person_words);
	}
	return false;
}

const char *
detect_sensitivity(const char *column, DetectPattern looks_like, const DetectTally *tally)
{
	char		name[MAX_NAME];

	cut_into_words(column, name);
	for (int i = 0; i < lengthof(vocabularies); i++)
		if (has_word(name, vocabularies[i].words) &&
			is_corroborated(name, vocabularies[i].corroboration, looks_like, tally))
			return vocabularies[i].category;
	for (int i = 0; i < lengthof(shapes); i++)
		if (shapes[i].pattern == looks_like)
			return shapes[i].category;
	return NULL;
}
