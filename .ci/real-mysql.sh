#!/usr/bin/env bash
# A real MySQL server without Docker and without installing anything, for a second run of the integration tests.
#
#   .ci/real-mysql.sh start   fetch (once), start, wait until it answers; the last line on stdout is its JDBC address
#   .ci/real-mysql.sh stop    stop it
#   .ci/real-mysql.sh url     print the JDBC address of the one that runs
#
# Debian has no MySQL server in its stable release, but sid has one. Its package and the libraries it needs are only
# downloaded and unpacked into a cache folder, and the server is started through its own loader: nothing of sid ever
# reaches the machine. The source list is the machine's own with the suite changed.
#
# sid moves, and a machine may have no way to it. So everything that goes wrong up to the unpacked server ends with a
# printed reason and exit code 75 (skip). A server that was unpacked and does not start is a failure, exit code 1.
#
# CHARGEFENCE_MYSQL_CACHE  cache folder (default ${TMPDIR:-/tmp}/chargefence-mysql)
# CHARGEFENCE_MYSQL_PORT   port (default: the first free one from 23306)
set -euo pipefail

cache=${CHARGEFENCE_MYSQL_CACHE:-${TMPDIR:-/tmp}/chargefence-mysql}
readonly cache
readonly root=$cache/root template=$cache/template data=$cache/data run=$cache/run
readonly suite=sid package=mysql-server-core skip=75
readonly fetch_seconds=600 start_seconds=90

say() { printf 'real-mysql: %s\n' "$*" >&2; }
skip() { say "skipped: $*"; exit $skip; }
fail() { say "failed: $*"; exit 1; }

# --- fetch ------------------------------------------------------------------------------------------------------------

private_apt() {
  local apt=$cache/apt command=$1
  shift
  # An empty status file: apt believes that nothing is installed, and so names every library the server needs.
  timeout "$fetch_seconds" "$command" \
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State="$apt/state" -o Dir::State::status="$apt/state/status" \
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User= -o APT::Install-Recommends=false \
    -o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 \
    "$@"
}

# One line "deb [signed-by=...] <the machine's own mirror> sid main". apt itself reads the machine's lists for us,
# whichever of the two formats they have.
sid_source() {
  local codename=$1
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI) $(SIGNED_BY)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" -v release="$codename" '
      ($1 == release || $1 == "stable") && $2 == "main" {
        print "deb " ($4 ~ /^\// ? "[signed-by=" $4 "] " : "") $3 " " suite " main"; exit
      }'
}

require_debian() {
  [[ $(uname -sm) == 'Linux x86_64' ]] || skip "only tried on Linux x86_64, this is $(uname -sm)"
  local tool
  for tool in apt-get dpkg-deb timeout awk; do
    command -v "$tool" >/dev/null || skip "no $tool on this machine"
  done
  [[ -r /etc/os-release ]] || skip 'no /etc/os-release, so this is no Debian'
}

write_apt_folder() {
  local source codename
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && [[ ${ID:-} == debian ]] && echo "${VERSION_CODENAME:-}") || skip 'not a Debian machine'
  source=$(sid_source "$codename") || true
  [[ -n $source ]] || skip "apt knows no Debian mirror for '$codename' main here"
  mkdir -p "$cache"/apt/state/lists/partial "$cache"/apt/cache/archives/partial
  : >"$cache/apt/state/status"
  printf '%s\n' "$source" >"$cache/apt/sources.list"
}

download() {
  local log=$cache/apt/log
  say "reading the package list of $suite"
  private_apt apt-get -q update >"$log" 2>&1 || skip "apt-get update failed: $(last_words "$log")"
  say "downloading $package and its libraries"
  private_apt apt-get -q -y --download-only install "$package" >"$log" 2>&1 ||
    skip "apt-get could not download $package: $(last_words "$log")"
}

last_words() { grep -E '^(E|W|Err):?' "$1" | tail -n 1 || tail -n 1 "$1"; }

unpack() {
  local side=$cache/root.part deb count=0
  rm -rf "$side"
  mkdir -p "$side"
  for deb in "$cache"/apt/cache/archives/*.deb; do
    [[ -e $deb ]] || skip 'apt reported success and downloaded nothing'
    dpkg-deb -x "$deb" "$side" || skip "cannot unpack $(basename "$deb")"
    count=$((count + 1))
  done
  [[ -x $side/usr/sbin/mysqld ]] || skip "$package of $suite holds no usr/sbin/mysqld any more"
  say "unpacked $count packages, $(du -sm "$side" | cut -f1) MB"
  # Renamed when whole, so that an interrupted run leaves no half server behind.
  mv "$side" "$root"
  rm -rf "$cache/apt"
}

fetch() {
  [[ -x $root/usr/sbin/mysqld ]] && return
  require_debian
  write_apt_folder
  download
  unpack
}

# --- run --------------------------------------------------------------------------------------------------------------

mysqld() {
  local loader libraries
  loader=$(find "$root" -name 'ld-linux-x86-64.so.2' -print -quit)
  [[ -n $loader ]] || skip "the packages of $suite hold no loader"
  libraries=$(find "$root" -name '*.so*' ! -path '*/plugin/*' -printf '%h\n' | sort -u | paste -sd:)
  exec "$loader" --library-path "$libraries" "$root/usr/sbin/mysqld" --defaults-file="$run/my.cnf" "$@"
}

free_port() {
  local port=${CHARGEFENCE_MYSQL_PORT:-23306}
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  echo "$port"
}

# Durable as the product asks it to be; root without a password, on loopback only.
write_config() {
  local port=$1 datadir=$2
  local share=$root/usr/share/mysql
  mkdir -p "$run"
  printf '%s\n' \
    "create user if not exists root@'127.0.0.1' identified by '';" \
    "grant all on *.* to root@'127.0.0.1' with grant option;" >"$run/init.sql"
  cat >"$run/my.cnf" <<CONFIG
[mysqld]
basedir=$root/usr
datadir=$datadir
lc_messages_dir=$share
character_sets_dir=$share/charsets
plugin_dir=$(find "$root/usr/lib" -type d -path '*mysql/plugin' -print -quit)
socket=$run/mysql.sock
pid-file=$run/mysqld.pid
log-error=$run/mysqld.log
bind-address=127.0.0.1
port=$port
skip-name-resolve
mysqlx=0
secure-file-priv=NULL
server-id=1
log-bin=binlog
sync_binlog=1
innodb_flush_log_at_trx_commit=1
innodb_redo_log_capacity=128M
CONFIG
  [[ $(id -u) -ne 0 ]] || echo 'user=root' >>"$run/my.cnf"
}

initialize() {
  [[ -d $template ]] && return
  say 'making the data folder'
  rm -rf "$template.part"
  write_config 1 "$template.part"
  (mysqld --initialize-insecure) || fail "initialize: $(tail -n 3 "$run/mysqld.log")"
  mv "$template.part" "$template"
}

# The process under our pid file, and only if it is still ours: pids are given out again.
running_pid() {
  local pid
  [[ -s $run/mysqld.pid ]] || return 1
  pid=$(<"$run/mysqld.pid")
  tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "--defaults-file=$run/my.cnf" && echo "$pid"
}

url() {
  running_pid >/dev/null || fail 'not running'
  echo "jdbc:mysql://127.0.0.1:$(<"$run/port")/"
}

await_ready() {
  local launched=$1 deadline=$((SECONDS + start_seconds))
  until grep -q 'ready for connections.*port: [1-9]' "$run/mysqld.log" && running_pid >/dev/null; do
    kill -0 "$launched" 2>/dev/null || fail "mysqld ended: $(grep -F '[ERROR]' "$run/mysqld.log" | tail -n 3)"
    ((SECONDS < deadline)) || { kill -KILL "$launched"; fail "not ready within $start_seconds s, see $run/mysqld.log"; }
    sleep 0.2
  done
}

start() {
  if running_pid >/dev/null; then
    say 'already running'
    url
    return
  fi
  mkdir -p "$cache" || skip "cannot make $cache"
  fetch
  mkdir -p "$run"
  rm -f "$run"/mysqld.*
  initialize
  # Each start begins with empty data: a second run must not find the schemas of the first.
  rm -rf "$data"
  cp -a "$template" "$data"
  rm -f "$data/auto.cnf" "$run"/mysqld.*
  launch
}

launch() {
  local port launched
  port=$(free_port)
  write_config "$port" "$data"
  echo "$port" >"$run/port"
  : >"$run/mysqld.log"
  (mysqld --init-file="$run/init.sql") </dev/null >>"$run/mysqld.out" 2>&1 &
  launched=$!
  disown
  await_ready "$launched"
  say "MySQL $(sed -n "s/.*Version: '\([^']*\)'.*/\1/p" "$run/mysqld.log" | tail -n 1) runs on port $port, pid $(running_pid)"
  url
}

stop() {
  local pid deadline=$((SECONDS + 30))
  pid=$(running_pid) || { say 'not running'; return; }
  kill -TERM "$pid"
  while running_pid >/dev/null; do
    ((SECONDS < deadline)) || { kill -KILL "$pid"; break; }
    sleep 0.2
  done
  say "stopped (pid $pid)"
}

case ${1:-} in
  start | stop | url) "$1" ;;
  *) echo "usage: $0 start|stop|url" >&2; exit 64 ;;
esac
