"""The functions a statement may call. Left out is what reads anything but the tables, what gives another answer each
time or may do so (`any_value`, `first`), and what makes much out of little (`repeat`, `range`, `levenshtein`)."""


def names_in(text: str) -> frozenset[str]:
    """The names in a text, between blanks."""
    return frozenset(text.split())


_OPERATORS = (
    "+ - * / // % ^ ** & | || ~~ !~~ ~~* !~~* ~~~ ~ !~ @ "
    "like_escape not_like_escape ilike_escape not_ilike_escape regexp_full_match"
)
_AGGREGATES = (
    "count count_star count_if countif sum avg mean min max median mode arg_max arg_min "
    "max_by min_by bool_and bool_or stddev stddev_pop stddev_samp variance var_pop var_samp "
    "quantile_cont quantile_disc string_agg group_concat listagg product corr"
)
_WINDOWS = "row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value"
_NUMBERS = (
    "abs round floor ceil ceiling trunc sign mod sqrt cbrt exp ln log log2 log10 pow power pi fmod divide add subtract "
    "multiply greatest least even radians degrees sin cos tan acos asin atan atan2 isnan isinf isfinite"
)
_TEXTS = (
    "upper ucase lower lcase trim ltrim rtrim length len strlen char_length character_length substr substring "
    "left right position strpos instr replace concat concat_ws contains starts_with "
    "prefix ends_with suffix reverse ascii chr ord regexp_matches regexp_extract regexp_replace split_part "
    "translate strip_accents"
)
_TIMES = (
    "date_part datepart year month day quarter week weekday weekofyear dayofweek isodow dayofmonth dayofyear yearweek "
    "decade century hour minute second epoch julian dayname monthname last_day date_diff datediff date_sub datesub "
    "date_trunc datetrunc date_add make_date make_time make_timestamp strftime strptime try_strptime "
    "to_years to_months to_weeks to_days to_hours to_minutes to_seconds"
)
_CHOICES = "if ifnull nullif"
_PAIRS = "row"
"""`(first_name, last_name) IN (...)` is made of these; as a column of a result they are refused."""

SAFE_FUNCTIONS = names_in(" ".join((_OPERATORS, _AGGREGATES, _WINDOWS, _NUMBERS, _TEXTS, _TIMES, _CHOICES, _PAIRS)))

LIST_FUNCTIONS = names_in("list_value list_pack array_value struct_pack map list array_agg array_slice unnest")
"""What DuckDB makes of `[1, 2]` and `{'a': 1}`, and what else gives several values in one."""

UNSTABLE_FUNCTIONS = names_in("any_value arbitrary first last random rand uuid gen_random_uuid setseed")

CLOCK_FUNCTIONS = names_in(
    "current_date current_time current_timestamp localtime localtimestamp now today get_current_time "
    "get_current_timestamp transaction_timestamp current_localtime current_localtimestamp"
)

SESSION_NAMES = names_in("current_user user session_user current_role current_catalog current_database current_schema")
