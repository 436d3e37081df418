/*
 * inside.h: former names of src/common, for src/service until it uses the new ones.
 */
#ifndef ROSTER_EXPERIMENT_INSIDE_H
#define ROSTER_EXPERIMENT_INSIDE_H

#include "experiment_internal.h"

#define experiment_block common_block
#define experiment_count common_count
#define experiment_fail common_fail_at
#define experiment_fail_file common_fail_file
#define experiment_fail_inside common_fail_inside
#define experiment_fail_key common_fail_key
#define experiment_fail_memory common_fail_memory
#define experiment_fail_missing common_fail_missing
#define experiment_item common_item
#define experiment_key common_key
#define experiment_keys common_keys
#define experiment_list common_list
#define experiment_list_of common_list_of
#define experiment_load_file common_load_file
#define experiment_load_text common_load_text
#define experiment_matrix common_matrix
#define experiment_nearest common_nearest_of
#define experiment_node common_node
#define experiment_number common_number
#define experiment_number_in common_number_in
#define experiment_object common_object
#define experiment_root common_root
#define experiment_scalar common_scalar
#define experiment_store common_arena
#define experiment_store_free common_arena_free
#define experiment_store_take common_arena_take
#define experiment_store_text common_arena_text
#define experiment_string common_string
#define experiment_text common_json_line
#define experiment_word common_word
#define EXPERIMENT_FILE_MOST COMMON_FILE_MOST
#define experiment_fail_plain(err, ...) common_fail(err, ROSTER_EINVAL, __VA_ARGS__)

#endif
