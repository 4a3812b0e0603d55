"""Moments as they sort, with their zone; the site's zone is UTC."""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = "Y-m-d H:i e"
SHORT_DATE_FORMAT = DATE_FORMAT
SHORT_DATETIME_FORMAT = DATETIME_FORMAT
