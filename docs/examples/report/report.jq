# Makes the pages of a list of tickets into a report of $days days from $since on, as lines of CSV.

def day: .[:10];
def seconds: .[:19] + "Z" | fromdate; # times are UTC without a suffix
def rounded: if . then . * 10 | round / 10 else null end;
def mean: if length > 0 then add / length else null end;
def median: sort | .[(length - 1) / 2 | floor : length / 2 + 1 | floor] | mean;

def reply_minutes: [.[] | select(.first_reply_at) | ((.first_reply_at | seconds) - (.created_at | seconds)) / 60] | median;

# One line: the tickets whose time is in the days for which `is_in` is true.
def row($name; is_in):
  [.[] | select(.created_at | is_in)] as $opened
  | [.[] | select(.closed_at and (.closed_at | is_in))] as $closed
  | [.[] | select(.rated_at and (.rated_at | is_in))] as $rated
  | [$name, ($opened | length), ($closed | length), ($opened | reply_minutes | rounded),
     ($rated | length), ($rated | map(.rating) | mean | rounded)];

# A ticket that changed while the pages were read stands on two of them: the later one counts. A ticket that was merged
# into another one is counted there.
[INDEX(.[].items[]; .id)[] | select(.merged_into_id == null)]
| [range($days) as $n | ($since + "T00:00:00Z" | fromdate) + $n * 86400 | strftime("%Y-%m-%d")] as $dates
| ["day", "opened", "closed", "median_reply_minutes", "ratings", "average_rating"],
  ($dates[] as $date | row($date; day == $date)),
  row("total"; day >= $since)
| @csv
