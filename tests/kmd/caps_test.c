// SPDX-License-Identifier: Apache-2.0
/*
 * What the miniport tells of a device with and without a vector engine: user mode learns that the
 * compute node has none, and the two are not of one kind when adapters are linked.
 */
#include "base/adapter.h"
#include "fake_device.h"

static u64 without_vector_engine(struct fake_device *device, u64 offset, u64 value)
{
	(void)device;
	return offset == RF_REG_DEVICE_PARAMETERS ? value & ~RF_DEVICE_PARAMETERS_VECTOR_ENGINE_MASK
						  : value;
}

static void start_anew(struct device_world *world)
{
	rf_hosted_close(world->file);
	rf_hosted_remove_device(world->shell);
	assert_int_equal(rf_hosted_add_device(world->hosted, &world->device.fake.bus.bus,
					      &rf_ringfence_ddi, &world->shell),
			 0);
	assert_int_equal(rf_hosted_open(world->shell, &world->file), 0);
}

static u32 node_flags(struct device_world *world, u32 node)
{
	struct drm_ringfence_node_info info = { 0 };
	struct drm_ringfence_query query = {
		.type = DRM_RINGFENCE_QUERY_NODE,
		.index = node,
		.size = sizeof(info),
		.pointer = (uintptr_t)&info,
	};

	assert_int_equal(rf_hosted_request(world->file, DRM_RINGFENCE_QUERY, &query), 0);
	return info.flags;
}

static void node_without_engine(void **state)
{
	struct device_world *world = device_world_new();

	(void)state;
	assert_int_equal(node_flags(world, RF_NODE_COMPUTE),
			 DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION);
	world->device.answer = without_vector_engine;
	start_anew(world);
	assert_int_equal(node_flags(world, RF_NODE_COMPUTE),
			 DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION | DRM_RINGFENCE_NODE_NO_ENGINE);
	assert_int_equal(node_flags(world, RF_NODE_COPY), DRM_RINGFENCE_NODE_USER_MODE_SUBMISSION);
	assert_int_equal(node_flags(world, RF_NODE_PAGING), 0);
	device_world_destroy(world);
}

static void linked_with_its_like(void **state)
{
	struct device_world *world = device_world_new();
	u32 with = world->shell->adapter->caps.chain_uid;

	(void)state;
	assert_int_not_equal(with, 0);
	world->device.answer = without_vector_engine;
	start_anew(world);
	assert_int_not_equal(world->shell->adapter->caps.chain_uid, 0);
	assert_int_not_equal(world->shell->adapter->caps.chain_uid, with);
	device_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a-node-without-an-engine-says-so", node_without_engine),
		TEST("a-device-is-linked-with-its-like-only", linked_with_its_like),
	};

	return cmocka_run_group_tests_name("caps", tests, NULL, NULL);
}
