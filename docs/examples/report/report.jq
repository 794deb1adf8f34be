# Turns the pages of a ticket list into a CSV report of $days days, starting on $since.

def day: .[:10];
def seconds: .[:19] + "Z" | fromdate; # times are in UTC without a suffix
def rounded: if . then . * 10 | round / 10 else null end;
def mean: if length > 0 then add / length else null end;
def median: sort | .[(length - 1) / 2 | floor : length / 2 + 1 | floor] | mean;

def reply_minutes: [.[] | select(.first_reply_at) | ((.first_reply_at | seconds) - (.created_at | seconds)) / 60] | median;

# One row: counts the tickets on the days for which `is_in` is true.
def row($name; is_in):
  [.[] | select(.created_at | is_in)] as $opened
  | [.[] | select(.closed_at and (.closed_at | is_in))] as $closed
  | [.[] | select(.rated_at and (.rated_at | is_in))] as $rated
  | [$name, ($opened | length), ($closed | length), ($opened | reply_minutes | rounded),
     ($rated | length), ($rated | map(.rating) | mean | rounded)];

# A ticket that changed while the pages were read is on two of them: the later one counts. A merged ticket is counted as the
# ticket it was merged into.
[INDEX(.[].items[]; .id)[] | select(.merged_into_id == null)]
| [range($days) as $n | ($since + "T00:00:00Z" | fromdate) + $n * 86400 | strftime("%Y-%m-%d")] as $dates
| ["day", "opened", "closed", "median_reply_minutes", "ratings", "average_rating"],
  ($dates[] as $date | row($date; day == $date)),
  row("total"; day >= $since)
| @csv
