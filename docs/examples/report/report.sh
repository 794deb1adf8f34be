#!/usr/bin/env bash
# Reports on recent tickets as a table, or as CSV with --csv. Requires bash, curl 7.55 or later, and jq 1.6 or later.
#
#   report.sh [--csv] [DAYS]      7 days by default, including today. Days are in UTC.
set -euo pipefail

server=${DESKBELL_URL:-http://localhost:3000}
key=${DESKBELL_API_KEY:?Set it to a key of your project (Settings, API keys)}
format=table
if [ "${1:-}" = --csv ]; then
  format=csv
  shift
fi
days=${1:-7}
if ! [[ $days =~ ^[1-9][0-9]{0,2}$ ]]; then
  echo 'Usage: report.sh [--csv] [DAYS]' >&2
  exit 2
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Downloads a URL into a file. If the server is busy or restarting, curl retries, after Retry-After seconds if the response has
# that header. The key is passed as a file, because every user of this machine can see the arguments of a command.
fetch() {
  curl --silent --show-error --fail --retry 8 --retry-connrefused \
    --header @<(printf 'Authorization: Bearer %s\n' "$key") --output "$2" "$server/api/v1$1"
}

# jq calculates the date, because the date command differs between macOS and Linux.
since=$(jq -nr --argjson days "$days" 'now - ($days - 1) * 86400 | strftime("%Y-%m-%d")')

# Every ticket that was opened, closed or rated since then was also updated since then, so one list is enough. It is read by
# cursor: with page=2, 3, … a ticket that changes in the meantime would shift the others to another page.
query="sort=updated_at&updated_after=$since&page_size=100&count=false"
cursor=
while true; do
  fetch "/tickets?$query${cursor:+&cursor=$cursor}" "$folder/page"
  cat "$folder/page" >>"$folder/pages"
  cursor=$(jq -r '.next_cursor // "" | @uri' "$folder/page")
  if [ -z "$cursor" ]; then break; fi
done

jq --slurp --raw-output --arg since "$since" --argjson days "$days" --from-file "$(dirname "$0")/report.jq" \
  "$folder/pages" >"$folder/report"

if [ "$format" = csv ]; then
  cat "$folder/report"
else
  tr -d '"' <"$folder/report" |
    awk -F , '{ for (i = 1; i <= NF; i++) if ($i == "") $i = "-"; printf "%-10s %7s %7s %21s %8s %15s\n", $1, $2, $3, $4, $5, $6 }'
fi
