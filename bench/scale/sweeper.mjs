// Sweeps in a process of its own, as `latchkey db sweep` does.
import pg from "pg"
import { postgresAdapter } from "./peers.mjs"

process.once("message", (order) => void sweep(order))

async function sweep({ url, batchSize, pauseMs }) {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: "-c search_path=sweep" })
  const adapter = await postgresAdapter({ pool })
  let [batches, longest, last] = [0, 0, performance.now()]
  const start = last
  const onBatch = () => {
    const now = performance.now()
    batches++
    longest = Math.max(longest, now - last)
    last = now
  }
  const deleted = await adapter.sweep({ batchSize, pauseMs, onBatch })
  const seconds = (performance.now() - start) / 1000
  await adapter.close()
  process.send({ deleted, seconds, batches, longest }, () => process.exit(0))
}
