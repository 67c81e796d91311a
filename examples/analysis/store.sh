#!/bin/sh
# Makes a store with N matches of each game, played by bots: the one that docs/tables.md measures.
#
#     sh examples/analysis/store.sh N FOLDER        # MUNINN=path/of/muninn, if it is not in the PATH
#
# Deals and bots have seeds of their own, so the same N gives the same matches on every machine; only their ids and times differ. Numbers of
# seats, bots and options are mixed. Nobody plays Delphi at random here: such a match takes thousands of rounds.
set -eu

if [ $# -ne 2 ]; then
    echo "usage: $0 N FOLDER" >&2
    exit 2
fi
matches=$1 folder=$2 program=${MUNINN:-muninn} deal=1

# A share of the matches of a game, in percent, and how they are played.
play() {
    share=$1 game=$2 seats=$3 bots=$4 options=$5
    count=$((matches * share / 100))
    if [ "$count" -gt 0 ]; then
        echo "$count of $game, $seats seats, $bots, $options"
        "$program" simulate --keep "$folder" --game "$game" --seats "$seats" --bot "$bots" --options "$options" --matches "$count" --deal-seed "$deal" --bot-seed 7
    fi
    deal=$((deal + 1))
}

play 40 rosenkoenig 2 greedy '{}'
play 20 rosenkoenig 2 greedy,random '{}'
play 20 rosenkoenig 2 random '{}'
play 20 rosenkoenig 2 greedy '{"light": true}'

play 35 copenhagen 2 greedy '{}'
play 20 copenhagen 3 greedy '{}'
play 15 copenhagen 4 greedy '{}'
play 20 copenhagen 2 greedy,random '{}'
play 10 copenhagen 2 random '{}'

play 35 voluspa 2 greedy '{}'
play 20 voluspa 3 greedy '{}'
play 15 voluspa 4 greedy '{}'
play 20 voluspa 2 greedy,random '{}'
play 10 voluspa 2 random '{}'

play 70 delphi 2 greedy '{}'
play 10 delphi 2 greedy '{"ships": "choice"}'
play 10 delphi 2 greedy '{"fewer_tasks": 2}'
play 10 delphi 3 greedy '{}'
