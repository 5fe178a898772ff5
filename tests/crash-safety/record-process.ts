// A process that writes records, and ends in the middle of a batch if it's told to.
import type { RecordWrite, StoredRecord } from "@latchkey/core/adapters"
import { type OpenRecords, openRecords, openWatched, type Place } from "./record-stores.js"

export type RecordOrder =
  | { readonly kind: "open"; readonly place: Place }
  | { readonly kind: "swap" | "insert"; readonly record: StoredRecord }
  | { readonly kind: "take"; readonly record: StoredRecord }
  | { readonly kind: "die"; readonly place: Place; readonly at: number; readonly writes: readonly RecordWrite[] }

let opened: OpenRecords | undefined

process.on("message", (order: RecordOrder) => {
  void obey(order).then(
    (done) => process.send?.({ done }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  )
})

async function obey(order: RecordOrder): Promise<boolean> {
  if (order.kind === "die") return die(order)
  if (order.kind === "open") {
    opened = openRecords(order.place)
    return (await opened.records.get("race.none", "")) === null
  }
  if (!opened) throw new Error("The process has no store")
  const { records } = opened
  if (order.kind === "take") return (await records.take(order.record.kind, order.record.key)) !== null
  return records[order.kind](order.record, new Date())
}

/** Kills this process before statement number `at` of the batch. */
async function die({ place, at, writes }: RecordOrder & { readonly kind: "die" }): Promise<boolean> {
  let [isArmed, count] = [false, 0]
  const { records } = openWatched(place, async () => {
    if (!isArmed || count++ !== at) return
    process.kill(process.pid, "SIGKILL")
    // The signal may arrive a moment later. Nothing may happen until then.
    await new Promise<never>(() => {})
  })
  await records.get("race.none", "")
  isArmed = true
  return records.batch("owner", writes, new Date())
}
