import { crc32, deflateSync } from "node:zlib"
import { PNG } from "pngjs"

/** An image with 8 bits each of red, green, blue and alpha per pixel. */
export interface Image {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

export function decode(file: Buffer): Image {
  return PNG.sync.read(file)
}

/** Sixteen values per channel: few enough for a palette, and a pixel is off by less than what counts as a difference. */
const step = 17

/** Encodes an opaque image with a palette, which is a third of the size that a browser makes. */
export function encode({ width, height, data }: Image): Buffer {
  const colors = Array.from({ length: width * height }, (_, pixel) => colorAt(data, pixel * 4))
  const palette = paletteOf(colors)
  const indexes = new Map(palette.map((color, index) => [color, index]))
  const rows = Buffer.alloc((width + 1) * height)
  for (const [pixel, color] of colors.entries()) {
    const index = indexes.get(color) ?? nearest(palette, color)
    indexes.set(color, index)
    // Each row starts with the number of its filter, 0 for none.
    rows[pixel + Math.floor(pixel / width) + 1] = index
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, of color type 3: with a palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

function colorAt(data: Uint8Array, place: number): number {
  return (rounded(data[place]) << 16) | (rounded(data[place + 1]) << 8) | rounded(data[place + 2])
}

/** The most frequent colors, as many as a palette has. */
function paletteOf(colors: readonly number[]): readonly number[] {
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one)
  return frequent.slice(0, 256).map(([color]) => color)
}

function rounded(value = 0): number {
  return Math.round(value / step) * step
}

function channels(color: number): readonly number[] {
  return [color >> 16, (color >> 8) & 255, color & 255]
}

function nearest(palette: readonly number[], color: number): number {
  const distances = palette.map((other) =>
    channels(other).reduce((sum, value, place) => sum + Math.abs(value - (channels(color)[place] ?? 0)), 0),
  )
  return distances.indexOf(Math.min(...distances))
}

/** PNG §5.3: length, type, content and checksum. */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
