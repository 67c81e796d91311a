/* Cuts the power of a file system, for the tests: what is not on its disk is lost. `cut FOLDER HOW` with HOW 1: its journal is written before;
 * 2: it is not. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

int main(int count, char **arguments) {
    uint32_t how = count == 3 ? atoi(arguments[2]) : 0;
    return how == 0 || ioctl(open(arguments[1], O_RDONLY), _IOR('X', 125, uint32_t), &how) != 0;
}
