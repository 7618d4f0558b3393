#!/bin/bash
# A run on Slurm: sbatch slurm.sh. Submit it again after an interruption: it resumes.
#SBATCH --job-name=twintown
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00

set -euo pipefail

OUT="${OUT:-$SLURM_SUBMIT_DIR/runs/mine}" # on a disk that keeps locks, as the first node sees it
AGENT="${AGENT:-my_package.agent:Assistant}"
export PYTHONPATH="$SLURM_SUBMIT_DIR${PYTHONPATH:+:$PYTHONPATH}" # where the agent's package is, on every node
export RAY_USAGE_STATS_ENABLED=0

mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head="${nodes[0]}"
port=$((20000 + SLURM_JOB_ID % 20000))

# The head drives the run. One task a node; each lives until the batch script ends.
srun --overlap --nodes=1 --ntasks=1 --nodelist="$head" \
  ray start --head --node-ip-address="$head" --port="$port" --num-cpus="$SLURM_CPUS_PER_TASK" \
  --include-dashboard=false --block &
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for node in "${nodes[@]:1}"; do
  srun --overlap --nodes=1 --ntasks=1 --nodelist="$node" \
    ray start --address="$head:$port" --num-cpus="$SLURM_CPUS_PER_TASK" --block &
done

workers=$((SLURM_JOB_NUM_NODES * SLURM_CPUS_PER_TASK))
if [ -f "$OUT/run.sqlite" ]; then
  what=(--resume)
else
  what=(evidence --agent "$AGENT")
fi
for attempt in 1 2 3 4 5 6; do # until the head answers
  ray status --address="$head:$port" >/dev/null 2>&1 && break
  sleep 10
done
twintown run "${what[@]}" --out "$OUT" --engine ray --address "$head:$port" --workers "$workers"
