package parallel

// Few is up to how many small things are done one after the other.
const Few = 256

// ForEach calls f for each index below n, in any order and several at a time. f may change what belongs to its index
// alone, and must not use what a build shares.
func ForEach(n int, f func(i int)) {
	batch := 32
	if n < Few {
		batch = Few
	}
	Each(n, batch, func(first, end int) {
		for i := first; i < end; i++ {
			f(i)
		}
	})
}
