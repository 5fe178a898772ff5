/**
 * Reads a stream of at most `limit` bytes. It counts the bytes that arrive, since `Content-Length` may lie. `undefined`: there
 * are more, and the stream is canceled.
 *
 * @throws what the stream throws
 */
export async function readAtMost(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length > limit) {
      // A stream that failed in the meantime rejects.
      reader.cancel().catch(() => {})
      return undefined
    }
    chunks.push(read.value)
  }
  return joined(chunks, length)
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> {
  const [first, second] = chunks
  if (first !== undefined && second === undefined) return first
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}
