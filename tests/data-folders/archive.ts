import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

// Three databases of one cluster are alike, and farther apart than the usual window of 16 MiB.
const windowBits = 26
const mostBytes = 512 * 1024 * 1024

/** One order, one owner, one time: the same folder gives the same archive. */
const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']

/** Packs a folder into one file; returns its length. */
export function packFolder(folder: string, file: string): number {
  const tar = execFileSync('tar', [...same, '-C', folder, '-c', '.'], { maxBuffer: mostBytes })
  const packed = brotliCompressSync(tar, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
    },
  })
  writeFileSync(file, packed)
  return packed.length
}

/** Unpacks such a file into a new folder. */
export function unpackFolder(file: string, folder: string): void {
  const tar = brotliDecompressSync(readFileSync(file), { params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } })
  mkdirSync(folder)
  execFileSync('tar', ['-C', folder, '-x'], { input: tar })
}
