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

/** As many colors as fit into a byte. The most frequent of them are exact, the others are close to all that remain. */
const [maxColors, exactColors] = [256, 128]

/** Encodes an opaque image with a palette, which is a third of the size that a browser makes. */
export function encode({ width, height, data }: Image): Buffer {
  const colors = Array.from({ length: width * height }, (_, pixel) => colorAt(data, pixel * 4))
  const { palette, indexes } = quantized(colors)
  const rows = Buffer.alloc((width + 1) * height)
  for (const [pixel, color] of colors.entries()) {
    // Each row starts with the number of its filter, 0 for none.
    rows[pixel + Math.floor(pixel / width) + 1] = indexes.get(color) ?? 0
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
  return ((data[place] ?? 0) << 16) | ((data[place + 1] ?? 0) << 8) | (data[place + 2] ?? 0)
}

function channels(color: number): readonly [number, number, number] {
  return [color >> 16, (color >> 8) & 255, color & 255]
}

/** A palette, and the index of each color in it. Each color beyond the exact ones is the one farthest from all before. */
function quantized(colors: readonly number[]): { palette: readonly number[]; indexes: ReadonlyMap<number, number> } {
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one).map(([color]) => color)
  const palette: number[] = []
  const indexes = new Map<number, number>()
  const distances = new Map(frequent.map((color) => [color, Number.POSITIVE_INFINITY]))
  for (let next: number | undefined = frequent[0]; next !== undefined && palette.length < maxColors; ) {
    palette.push(next)
    for (const [color, former] of distances) {
      const now = distance(color, next)
      if (now >= former) continue
      distances.set(color, now)
      indexes.set(color, palette.length - 1)
    }
    next = palette.length < exactColors ? frequent[palette.length] : farthest(distances)
  }
  return { palette, indexes }
}

function farthest(distances: ReadonlyMap<number, number>): number | undefined {
  let [found, most]: [number | undefined, number] = [undefined, 0]
  for (const [color, distance] of distances) if (distance > most) [found, most] = [color, distance]
  return found
}

function distance(one: number, other: number): number {
  const [[red, green, blue], [otherRed, otherGreen, otherBlue]] = [channels(one), channels(other)]
  return Math.max(Math.abs(red - otherRed), Math.abs(green - otherGreen), Math.abs(blue - otherBlue))
}

/** PNG §5.3: length, type, content and checksum. */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
