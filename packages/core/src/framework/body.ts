/**
 * The body of a request as a stream that is read to its end, also if the reader stops at a limit. Otherwise, some servers for Node
 * close the connection, and no response arrives.
 */
export function drained(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const drain = async (): Promise<void> => ((await reader.read()).done ? undefined : drain())
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    // The body can be larger than a limit of the server, or the client can be gone.
    cancel: () => void drain().catch(() => {}),
  })
}
